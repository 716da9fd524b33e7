package faulty

import "strings"

// Points are the operations of a run without a fault at which one of a kind is worth trying: Short and Tear are other than
// Fail and Stop in writes alone.
func Points(trace []string, kind Fault) []int {
	var points []int
	for i, op := range trace {
		if kind == Fail || kind == Stop || strings.HasPrefix(op, "write ") {
			points = append(points, i+1)
		}
	}
	return points
}
