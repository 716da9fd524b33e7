package machine

import (
	"fmt"
	"slices"
	"strings"
)

// validated decides on a task by its evidence: nothing that could not be checked counts as failed or as passed.
func (m tasking) validated() error {
	t := m.current()
	settle(m.s, m.e.Task, m.e.Checks)
	if bad := Blocking(m.e.Findings, Standard); len(bad) > 0 {
		t.keep(m.e.Findings)
		return m.attemptFailed("TASK_EXEC", describe(bad), "")
	}
	if could := m.s.unaccepted(checksWith(m.e.Checks, CheckCouldNot)); len(could) > 0 {
		m.ask(GateBlocked, blockedOptions(m.s.CurrentState),
			fmt.Sprintf("Task %s could not be checked: %s does not start.", t.Title, commands(could)), details(could)...)
		return nil
	}
	if category, reason := m.s.ChecksAgainst(m.e.Checks); reason != "" {
		return m.attemptFailed(category, reason, "")
	}
	t.keep(m.e.Findings)
	t.Unverified = !Passing(m.e.Checks)
	*m.at() = StepCommit
	return nil
}

// ChecksAgainst is why a task does not pass by these checks, with the category of the log; "" where none of them failed
// that a human did not go on without.
func (s State) ChecksAgainst(checks []Check) (category, reason string) {
	late := s.unaccepted(checksWith(checks, CheckTimedOut))
	failed := append(checksWith(checks, CheckFailed), late...)
	if len(late) > 0 {
		category = "TIMEOUT"
	} else if len(failed) > 0 {
		category = "TEST_FAIL"
	}
	return category, strings.Join(details(failed), "\n")
}

// FindingsAgainst is why a task does not pass by what was found in its work; "" where nothing of it blocks.
func FindingsAgainst(findings []Finding) string { return describe(Blocking(findings, Standard)) }

// RecordAgainst is what the record of an event says against the task or the phase that rests on it; "" is nothing.
func (s State) RecordAgainst(kind EventType, checks []Check, found []Finding) string {
	bad, rigor := s.notPassed(checks), s.RigorLevel
	if kind == Validated {
		rigor = Standard
	} else {
		bad = append(bad, s.unaccepted(checksWith(checks, CheckBaselineRed))...)
	}
	findings := Blocking(found, rigor)
	switch {
	case len(bad) > 0:
		return "its record says that " + commands(bad) + " did not pass"
	case len(findings) > 0:
		return "its record has a blocking finding: " + titles(findings)
	}
	for _, c := range checksWith(checks, CheckPassed) {
		if c.ExitCode != 0 && c.Source != ScriptSource {
			return "its record has " + c.name() + " as passed with an exit code other than 0"
		}
	}
	return ""
}

// notPassed are the checks that speak against what they are to show.
func (s State) notPassed(checks []Check) []Check {
	return append(checksWith(checks, CheckFailed), s.unaccepted(checksWith(checks, CheckTimedOut, CheckCouldNot))...)
}

// unaccepted leaves out what a human said to go on without.
func (s State) unaccepted(checks []Check) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return slices.Contains(s.AcceptedRed, c.name()) })
}
