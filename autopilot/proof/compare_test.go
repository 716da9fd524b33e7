package proof

import (
	"testing"

	"autopilot/autopilot/validate"
	"autopilot/autopilot/validate/results"
)

func TestWhatARunWithTheOldTestsMeans(t *testing.T) {
	ran := func(o validate.Outcome, counts *results.TestCounts, failed ...string) validate.Evidence {
		e := validate.Evidence{Outcome: o, Counts: counts, FailedTests: failed, Results: map[string]results.TestResult{}}
		for _, name := range failed {
			e.Results[name] = results.TestFailed
		}
		return e
	}
	two, oneFails, one := &results.TestCounts{Ran: 2, Passed: 2}, &results.TestCounts{Ran: 2, Passed: 1, Failed: 1}, &results.TestCounts{Ran: 1, Passed: 1}
	for name, c := range map[string]struct {
		before, now validate.Evidence
		want        Verdict
	}{
		"passes":                         {ran(validate.Passed, two), ran(validate.Passed, two), Holds},
		"a test fails":                   {ran(validate.Passed, two), ran(validate.Failed, oneFails, "a"), Broken},
		"one that failed before":         {ran(validate.Failed, oneFails, "a"), ran(validate.Failed, oneFails, "a"), Holds},
		"the exit code alone tells":      {ran(validate.Passed, nil), ran(validate.Failed, nil), Broken},
		"a failure that is not named":    {ran(validate.Passed, two), ran(validate.Failed, oneFails), Broken},
		"fewer ran":                      {ran(validate.Passed, two), ran(validate.Failed, one), Unbuilt},
		"a coverage that is not reached": {ran(validate.Passed, two), ran(validate.Failed, two), Unbuilt},
		"it does not come to a test":     {ran(validate.Passed, two), ran(validate.Failed, nil), Unbuilt},
		"it does not start":              {ran(validate.Passed, nil), ran(validate.CouldNotCheck, nil), Unbuilt},
	} {
		if got, _ := Compare(c.before, c.now); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
