package machine

import (
	"fmt"
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
func (m *move) noteFlakes(checks []Check) {
	for _, c := range checks {
		for _, test := range c.Flakes {
			m.noteFlake(Flake{Test: test, Command: c.name(), Phase: m.s.CurrentPhase, Task: m.e.Task, Times: 1})
		}
	}
}

func (m *move) noteFlake(f Flake) {
	for i := range m.s.Flakes {
		if known := &m.s.Flakes[i]; known.Test == f.Test && known.Command == f.Command && known.Phase == f.Phase {
			known.Times++
			return
		}
	}
	m.s.Flakes = append(m.s.Flakes, f)
}

// FlakesOf lists the flaky tests of a phase, by its 0-based index.
func (s State) FlakesOf(phase int) []Flake {
	var list []Flake
	for _, f := range s.Flakes {
		if f.Phase == phase {
			list = append(list, f)
		}
	}
	return list
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
