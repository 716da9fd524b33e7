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
	if failed := checksWith(m.e.Checks, CheckFailed, CheckTimedOut); len(failed) > 0 {
		category := "TEST_FAIL"
		if len(checksWith(failed, CheckTimedOut)) > 0 {
			category = "TIMEOUT"
		}
		return m.attemptFailed(category, strings.Join(details(failed), "\n"), "")
	}
	t.keep(m.e.Findings)
	t.Unverified = len(checksWith(m.e.Checks, CheckPassed, CheckKnownFailure)) == 0
	*m.at() = StepCommit
	return nil
}

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
