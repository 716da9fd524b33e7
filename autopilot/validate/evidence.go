package validate

import (
	"slices"
	"time"

	"autopilot/autopilot/validate/results"
)

// Outcome is what running a validation showed.
type Outcome string

// The outcomes. Only Passed is a pass.
const (
	Passed        Outcome = "passed"
	Failed        Outcome = "failed"
	CouldNotCheck Outcome = "could-not-check" // it cannot run here: a program or the dependencies are missing
	NothingToRun  Outcome = "nothing-to-run"  // it ran and found no tests
	TimedOut      Outcome = "timed-out"
	Warned        Outcome = "warned"      // a script of validate.d asked to be heard, no more
	Interrupted   Outcome = "interrupted" // the program was told to stop meanwhile
)

// Evidence is one run of a validation and all that is known of it.
type Evidence struct {
	Command     string              `json:"command"`
	Dir         string              `json:"dir,omitempty"`
	Source      string              `json:"source"`
	Outcome     Outcome             `json:"outcome"`
	Reason      string              `json:"reason,omitempty"` // why it could not check, with what to do
	ExitCode    int                 `json:"exitCode"`         // -1 when it never ran
	Duration    time.Duration       `json:"duration"`         // nanoseconds
	Output      string              `json:"output"`           // its beginning and its end, valid UTF-8
	OutputFile  string              `json:"outputFile,omitempty"`
	FlakyTests  []string            `json:"flakyTests,omitempty"`  // sorted; failed, and passed when the test program ran them again
	FailedTests []string            `json:"failedTests,omitempty"` // sorted; from the whole output and its reports, where they name them
	Counts      *results.TestCounts `json:"counts,omitempty"`      // where the output or its reports tell them
	Signature   string              `json:"signature,omitempty"`   // FailureSignature of Output, when it failed
	Tree        string              `json:"tree,omitempty"`        // hash of what it ran on; the caller fills it in
	Dirty       []string            `json:"dirty,omitempty"`       // paths that differ from HEAD; the caller fills it in
	StartedAt   time.Time           `json:"startedAt"`

	// Results are the tests that are named, as far as they hold no others; there may be 50,000 of them.
	Results map[string]results.TestResult `json:"-"`

	tests results.TestRun
}

// take keeps what test programs told of the run.
func (e *Evidence) take(r results.Report) {
	e.FailedTests, e.FlakyTests, e.Counts, e.Results, e.tests = r.Failed, r.Flaky, r.Counts, r.Results, r.TestRun
}

// NoWorse tells whether now is a pass, or failed only where its baseline did:
// by the names of the tests where the output gives them, else by an equal exit
// code and signature. Whatever is doubtful is worse: another command, a run
// that could not check, tests that are no longer there.
func NoWorse(baseline, now Evidence) bool {
	if now.Outcome == Passed {
		return true
	}
	if baseline.Command != now.Command || baseline.Dir != now.Dir || baseline.Outcome != now.Outcome {
		return false
	}
	switch now.Outcome {
	case NothingToRun:
		return true
	case Failed:
		return failsNoMore(baseline, now)
	}
	return false
}

// killed and above are the exit codes of programs that a signal ended. Below, a code may be the number of failures.
const killed = 128

func failsNoMore(baseline, now Evidence) bool {
	if len(now.FailedTests) == 0 || len(baseline.FailedTests) == 0 {
		return len(now.FailedTests) == len(baseline.FailedTests) &&
			now.ExitCode == baseline.ExitCode && now.Signature == baseline.Signature && now.Signature != ""
	}
	if now.ExitCode >= killed && baseline.ExitCode < killed {
		return false // the names are those of the tests before it died
	}
	return !slices.ContainsFunc(now.FailedTests, func(name string) bool {
		return !slices.Contains(baseline.FailedTests, name)
	})
}
