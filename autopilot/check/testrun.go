package check

import "slices"

// testRun is what test programs say about a run as a whole.
type testRun struct {
	spoke bool  // a header or a summary of theirs stands in the output
	ran   bool  // a test ran, counted or not
	bad   bool  // a summary counts a failure
	wants []int // exit codes by which they say that they found no tests
}

func (w testRun) plus(other testRun) testRun {
	return testRun{
		spoke: w.spoke || other.spoke, ran: w.ran || other.ran, bad: w.bad || other.bad, wants: slices.Concat(w.wants, other.wants),
	}
}
