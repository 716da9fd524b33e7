package machine

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The outcomes of a check, as the driver reports them.
const (
	CheckPassed       = "passed"
	CheckFailed       = "failed"
	CheckKnownFailure = "known_failure" // failed, and every failing test failed in the baseline
	CheckCouldNot     = "could_not_check"
	CheckNothing      = "nothing_to_run"
	CheckTimedOut     = "timed_out"
	CheckBaselineRed  = "baseline_red" // failed, as in the baseline, with no word on which tests
)

// ScriptSource is the source of the repository's own checks: each phase has them with a commit of its own, and their exit codes
// from 2 on warn and pass.
const ScriptSource = ".harness/validate.d"

// Check is the record of one command that the program ran, or could not run.
type Check struct {
	Command     string   `json:"command"`
	Dir         string   `json:"dir,omitempty"`
	Outcome     string   `json:"outcome"` // passed, failed, known_failure, could_not_check, nothing_to_run, timed_out, baseline_red
	ExitCode    int      `json:"exitCode"`
	Seconds     float64  `json:"seconds,omitempty"`
	Tree        string   `json:"tree,omitempty"`
	Detail      string   `json:"detail,omitempty"`      // the part of the output that tells why
	FailedTests []string `json:"failedTests,omitempty"` // by name, where the output gives them
	Signature   string   `json:"signature,omitempty"`   // of the failure, where no names are known

	Source    string    `json:"source,omitempty"` // where the command comes from: "go.mod", "task-001", "configuration" …
	StartedAt time.Time `json:"startedAt,omitzero"`

	Tests  *TestCounts `json:"tests,omitempty"`  // how many ran, where the output tells
	Flakes []string    `json:"flakes,omitempty"` // failed, and passed when they were run again; sorted
	Blamed []string    `json:"blamed,omitempty"` // failed tests that neither the baseline nor a flake explains; sorted
	Runs   []CheckRun  `json:"runs,omitempty"`   // in order, where tests were run again; what stands above is the run that counts
}

// SecondsOf is how long checks took.
func SecondsOf(checks []Check) (seconds float64) {
	for _, c := range checks {
		seconds += c.Seconds
	}
	return seconds
}

// Name tells one command from another: the same words in another folder are another command.
func (c Check) Name() string {
	if c.Dir == "" || c.Dir == "." {
		return c.Command
	}
	return c.Command + " (in " + c.Dir + ")"
}

// ChecksWith picks the checks with one of these outcomes.
func ChecksWith(checks []Check, outcomes ...string) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return !slices.Contains(outcomes, c.Outcome) })
}

// Passing says whether a check passed, or failed only where the baseline did.
func Passing(checks []Check) bool {
	return len(ChecksWith(checks, CheckPassed, CheckKnownFailure)) > 0
}

// CommandNames are the names of the commands of checks.
func CommandNames(checks []Check) []string {
	list := make([]string, len(checks))
	for i, c := range checks {
		list[i] = c.Name()
	}
	return list
}

// Commands names the commands of checks in one line.
func Commands(checks []Check) string { return strings.Join(CommandNames(checks), ", ") }

// Details tell of each check how it ended, and why.
func Details(checks []Check) []string {
	lines := make([]string, 0, len(checks))
	for _, c := range checks {
		lines = append(lines, fmt.Sprintf("%s: %s, exit %d. %s", c.Name(), strings.ReplaceAll(c.Outcome, "_", " "), c.ExitCode, c.Detail))
	}
	return lines
}

// TestCounts are how many tests a command ran, where its output tells.
type TestCounts struct {
	Ran     int `json:"ran"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// CheckRun is one of several runs that a check rests on: of the whole command, or of one test alone.
type CheckRun struct {
	Command     string   `json:"command"`
	Outcome     string   `json:"outcome"`
	ExitCode    int      `json:"exitCode"`
	Seconds     float64  `json:"seconds,omitempty"`
	FailedTests []string `json:"failedTests,omitempty"`
}

// Flake is a test that failed, and passed when it was run again, alone and with the others. It blocks nothing.
type Flake struct {
	Test    string `json:"test"`
	Command string `json:"command"`
	Phase   int    `json:"phase"` // 0-based; of the final review: the last one
	Task    string `json:"task,omitempty"`
	Times   int    `json:"times"` // how often it was seen in the phase
}

// FlakesOf lists the flaky tests of a phase, by its 0-based index.
func (s State) FlakesOf(phase int) []Flake {
	return slices.DeleteFunc(slices.Clone(s.Flakes), func(f Flake) bool { return f.Phase != phase })
}

// FlakeLine names a flaky test for people.
func FlakeLine(s State, f Flake) string {
	line := fmt.Sprintf("%s (%s, phase %s)", f.Test, f.Command, s.PhaseNumber(f.Phase))
	if f.Times > 1 {
		line = strings.TrimSuffix(line, ")") + fmt.Sprintf(", %d times)", f.Times)
	}
	return line
}
