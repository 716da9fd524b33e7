package machine

import (
	"fmt"
	"strings"
)

// recovered asks a human once every attempt is spent and the work so far is kept in a commit.
func (m *move) recovered() error {
	if err := m.effectDone(StepRecoveryCommit); err != nil {
		return err
	}
	m.askExhausted("")
	return nil
}

func (m *move) askExhausted(trouble string) {
	var context []string
	for _, t := range m.open() {
		why := t.lastError()
		if t.Status != TaskFailed {
			why = "it waits for " + strings.Join(t.DependsOn, ", ")
		}
		context = append(context, fmt.Sprintf("%s %s: %s", t.ID, t.Title, why))
	}
	m.s.CurrentTask = m.firstFailed()
	m.ask(GateTasksExhausted, gateOptions[GateTasksExhausted],
		"Tasks are left, and none of them can run any more. What now?", append(nonEmpty(trouble), context...)...)
}

// rescued takes what a human fixed by hand, where the evidence holds.
func (m *move) rescued() error {
	m.noteFlakes(m.e.Checks)
	t := m.task(m.s.CurrentTask)
	failed := m.s.notPassed(m.e.Checks)
	bad := blocking(m.e.Findings, Standard)
	if len(failed)+len(bad) > 0 {
		m.askExhausted("What you fixed does not pass yet. " + strings.Join(append(details(failed), describeAll(bad)...), "; "))
		return nil
	}
	t.ByHuman, t.Status, t.Commit = true, TaskRunning, ""
	t.Unverified = !Passing(m.e.Checks)
	m.s.Step = StepCommit
	return nil
}
