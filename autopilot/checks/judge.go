// Package checks says what the outcome of a command means for a session: against the baseline, test by test, and against what ran
// before.
//
// A call goes: Judge.Limit gives each validation its time, Judge.Run runs one, runs failed tests again and compares with the
// baseline, and Judge.KeepTests keeps which tests ran, which Judge.Lost compares with later. Rerun runs commands again on a
// commit, in a clean working tree. It does not decide which commands run, nor what becomes of a task.
package checks

import (
	"strings"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/personas"
)

// Records keeps files of a session by their names.
type Records interface {
	Dir() string // absolute
	WriteJSON(name string, v any) error
}

// Judge compares with what was before any change.
type Judge struct {
	Journal *journal.Journal
	Records Records
	Mask    *personas.Mask // takes secrets out of what is kept; may be nil
	Home    string         // the repository's own working tree, whose dependencies others may use
	Time    time.Duration  // of each command; 0: the larger of ten minutes and three times its baseline
}

// MaxDetail is how much of a command's output stands in the state, in bytes; the whole of it is in the attempt's log.
const MaxDetail = 4000

// Outcomes are the words of package validate in those of the core.
var Outcomes = map[validate.Outcome]string{
	validate.Passed: machine.CheckPassed, validate.Failed: machine.CheckFailed, validate.CouldNotCheck: machine.CheckCouldNot,
	validate.NothingToRun: machine.CheckNothing, validate.TimedOut: machine.CheckTimedOut, validate.Warned: machine.CheckPassed,
}

// Check is a piece of evidence in the words of the core: a failure that the baseline had, test by test, is a known
// one; where the output names no tests, a command that was red stays red and shows nothing.
func (j Judge) Check(ev validate.Evidence) machine.Check {
	c := machine.Check{
		Command: ev.Command, Dir: ev.Dir, Outcome: Outcomes[ev.Outcome], ExitCode: ev.ExitCode, Seconds: ev.Duration.Seconds(),
		FailedTests: ev.FailedTests, Signature: ev.Signature, Source: ev.Source, StartedAt: ev.StartedAt.UTC(), Flakes: ev.FlakyTests,
	}
	if ev.Counts != nil {
		counts := machine.TestCounts(*ev.Counts)
		c.Tests = &counts
	}
	if c.Outcome != machine.CheckPassed {
		c.Detail = strings.TrimSpace(ev.Reason + "\n" + j.Mask.Shorten(ev.Output, MaxDetail))
	}
	if c.Outcome == machine.CheckFailed && c.Signature == "" {
		c.Signature = validate.Fingerprint(ev.Output)
	}
	switch old := j.baseline(c.Command, c.Dir); {
	case c.Outcome != machine.CheckFailed || old.Outcome != machine.CheckFailed:
	case len(old.FailedTests) == 0 && len(c.FailedTests) == 0:
		c.Outcome = machine.CheckBaselineRed
	case validate.NoWorse(asEvidence(old), ev):
		c.Outcome = machine.CheckKnownFailure
	}
	return c
}

func asEvidence(c machine.Check) validate.Evidence {
	return validate.Evidence{
		Command: c.Command, Dir: c.Dir, Outcome: validate.Failed, ExitCode: c.ExitCode, FailedTests: c.FailedTests, Signature: c.Signature,
	}
}
