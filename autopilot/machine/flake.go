package machine

import (
	"fmt"
	"slices"
	"strings"
)

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

// noteFlakes lists the flaky tests that checks met.
func noteFlakes(s *State, task string, checks []Check) {
	for _, c := range checks {
		for _, test := range c.Flakes {
			known := slices.IndexFunc(s.Flakes, func(f Flake) bool {
				return f.Test == test && f.Command == c.name() && f.Phase == s.CurrentPhase
			})
			if known >= 0 {
				s.Flakes[known].Times++
				continue
			}
			s.Flakes = append(s.Flakes, Flake{Test: test, Command: c.name(), Phase: s.CurrentPhase, Task: task, Times: 1})
		}
	}
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

// FlakeLines names the flaky tests of a session, one a line.
func FlakeLines(s State) []string {
	var lines []string
	for _, f := range s.Flakes {
		lines = append(lines, FlakeLine(s, f))
	}
	return lines
}

// VerifiedWords says whether a phase was verified, for people; nil is not checked.
func VerifiedWords(passed *bool) string {
	switch {
	case passed == nil:
		return "not checked"
	case *passed:
		return "yes"
	}
	return "no"
}
