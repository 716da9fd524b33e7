package spec

import (
	"bytes"
	"slices"

	"autopilot/spec/markdown"
)

func newPhaseReader(d *markdown.Document) *phaseReader {
	r := &phaseReader{Document: d, notPhase: map[int]bool{}}
	r.silence()
	return r
}

// silence notes the lines that such comments speak of: their own, else the one above or below that looks like a phase or is
// a heading, else the one above.
func (d *phaseReader) silence() {
	for _, c := range d.Silences {
		first, last := d.Line(c.Start), d.Line(c.End-1)
		if len(bytes.TrimSpace(d.Src[d.LineStart(c.Start):c.Start])) == 0 && len(bytes.TrimSpace(d.Src[c.End:d.LineEnd(c.End-1)])) == 0 {
			near := []int{first - 1, last + 1, first - 2, last + 2}
			first--
			if i := slices.IndexFunc(near, d.mayBePhase); i >= 0 {
				first = near[i]
			}
		}
		d.notPhase[first] = true
	}
}

func (d *phaseReader) mayBePhase(line int) bool {
	text := d.LineText(line)
	return len(text) > 0 && (text[0] == '#' || wordAt(text))
}
