package results

import "slices"

// TestRun is what test programs say about a run as a whole.
type TestRun struct {
	Spoke bool  // a header or a summary of theirs stands in the output
	Ran   bool  // a test ran, counted or not
	Bad   bool  // a summary counts a failure
	Wants []int // exit codes by which they say that they found no tests
}

func (w TestRun) plus(other TestRun) TestRun {
	return TestRun{
		Spoke: w.Spoke || other.Spoke, Ran: w.Ran || other.Ran, Bad: w.Bad || other.Bad, Wants: slices.Concat(w.Wants, other.Wants),
	}
}
