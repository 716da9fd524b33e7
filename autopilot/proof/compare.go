package proof

import (
	"autopilot/autopilot/validate"
)

// Verdict is what running the old tests on the new code showed.
type Verdict string

// The verdicts.
const (
	Holds   Verdict = "green"   // what passed before passes
	Broken  Verdict = "red"     // what passed before fails
	Unbuilt Verdict = "unbuilt" // it did not come to that, or fails though all tests pass: the old tests do not build, or do not import or find what was renamed
)

// Compare compares a command on the new code with the old tests, now, with what it showed on the old code. The tests are
// those that passed before and fail now, sorted, as far as the outputs name them.
func Compare(before, now validate.Evidence) (verdict Verdict, tests []string) {
	if now.Outcome == validate.Passed || before.Outcome != validate.Passed && validate.NoWorse(before, now) {
		return Holds, nil
	}
	tests = without(failing(now), before.FailedTests)
	switch {
	case len(tests) > 0:
		return Broken, tests
	case now.Outcome == validate.Failed && len(now.FailedTests) == 0 && ranAll(before, now) && !allPassed(now): // the exit code alone tells
		return Broken, nil
	}
	return Unbuilt, nil
}

// ranAll says whether as many tests ran as before, as far as the outputs tell.
func ranAll(before, now validate.Evidence) bool {
	return before.Counts == nil && now.Counts == nil || before.Counts != nil && now.Counts != nil && now.Counts.Ran >= before.Counts.Ran
}

// allPassed says whether the tests passed that a command ran, and something else made it fail, such as a coverage that the new
// tests were to reach.
func allPassed(e validate.Evidence) bool {
	return e.Counts != nil && e.Counts.Ran > 0 && e.Counts.Failed == 0
}
