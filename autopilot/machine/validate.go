package machine

import (
	"fmt"
	"strings"
)

// validated decides on a task by its evidence: nothing that could not be checked counts as failed or as passed.
func (m *move) validated() error {
	t := m.current()
	m.settle(m.e.Checks)
	if bad := blocking(m.e.Findings, Standard); len(bad) > 0 {
		t.keep(m.e.Findings)
		return m.attemptFailed("TASK_EXEC", describe(bad), "")
	}
	if could := m.unaccepted(checksWith(m.e.Checks, CheckCouldNot)); len(could) > 0 {
		m.ask(GateBlocked, blockedOptions(m.s.CurrentState),
			fmt.Sprintf("Task %s could not be checked: %s does not start.", t.Title, commands(could)), details(could)...)
		return nil
	}
	if category, reason := ChecksAgainst(m.e.Checks); reason != "" {
		return m.attemptFailed(category, reason, "")
	}
	t.keep(m.e.Findings)
	t.Unverified = len(checksWith(m.e.Checks, CheckPassed, CheckKnownFailure)) == 0
	*m.at() = StepCommit
	return nil
}

// ChecksAgainst is why a task does not pass by these checks, with the category of the log; "" where none of them failed.
func ChecksAgainst(checks []Check) (category, reason string) {
	failed := checksWith(checks, CheckFailed, CheckTimedOut)
	if len(checksWith(failed, CheckTimedOut)) > 0 {
		category = "TIMEOUT"
	} else if len(failed) > 0 {
		category = "TEST_FAIL"
	}
	return category, strings.Join(details(failed), "\n")
}

// FindingsAgainst is why a task does not pass by what was found in its work; "" where nothing of it blocks.
func FindingsAgainst(findings []Finding) string { return describe(blocking(findings, Standard)) }

// unaccepted leaves out what a human said to go on without.
func (m *move) unaccepted(checks []Check) []Check {
	var rest []Check
	for _, c := range checks {
		accepted := false
		for _, name := range m.s.AcceptedRed {
			accepted = accepted || name == c.name()
		}
		if !accepted {
			rest = append(rest, c)
		}
	}
	return rest
}
