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

// name tells one command from another: the same words in another folder are another command.
func (c Check) name() string {
	if c.Dir == "" || c.Dir == "." {
		return c.Command
	}
	return c.Command + " (in " + c.Dir + ")"
}

func checksWith(checks []Check, outcomes ...string) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return !slices.Contains(outcomes, c.Outcome) })
}

// Passing says whether a check passed, or failed only where the baseline did.
func Passing(checks []Check) bool {
	return len(checksWith(checks, CheckPassed, CheckKnownFailure)) > 0
}

func names(checks []Check) []string {
	list := make([]string, len(checks))
	for i, c := range checks {
		list[i] = c.name()
	}
	return list
}

func commands(checks []Check) string { return strings.Join(names(checks), ", ") }

func details(checks []Check) []string {
	lines := make([]string, 0, len(checks))
	for _, c := range checks {
		lines = append(lines, fmt.Sprintf("%s: %s, exit %d. %s", c.name(), strings.ReplaceAll(c.Outcome, "_", " "), c.ExitCode, c.Detail))
	}
	return lines
}
