package transition

import (
	"slices"

	"autopilot/autopilot/machine"
)

// begin begins an attempt of a task.
func (m tasking) begin(t *machine.Task) {
	t.Status, t.Commit = machine.TaskRunning, ""
	if t.Base == "" {
		t.Base, t.Leftover, t.Claimed = m.e.Base, m.e.Leftover, nil
	}
	*m.at() = machine.StepDispatch
	if wantsDiagnosis(*t, m.s.RetryBudget.MaxAttempts) {
		*m.at() = machine.StepDiagnose
	}
}

// attemptFailed spends an attempt of the current task.
func (m tasking) attemptFailed(category, reason, fix string) error {
	t := m.current()
	t.Attempts = append(t.Attempts, machine.Attempt{Timestamp: m.e.Time, Error: reason, Category: category, Fix: fix, Result: "failed", Signature: signature(m.e)})
	t.Status, t.Lost = machine.TaskPending, 0
	if len(t.Failures()) > m.s.RetryBudget.MaxAttempts+t.Extra {
		t.Status = machine.TaskFailed
	}
	*m.at() = machine.StepPick
	if m.e.Rollback {
		*m.at() = machine.StepRollback
	}
	return nil
}

// laneLost is a working tree that somebody removed, with what had been done there: the attempt goes on in a new one. The
// third time spends it.
func (m tasking) laneLost(t *machine.Task) error {
	if t.Status != machine.TaskRunning {
		return m.illegal("nothing that passed was lost")
	}
	t.Interruptions, t.Lost = t.Interruptions+1, t.Lost+1
	t.Remark = "The working tree of this task was removed, and with it what had been done there. You are in a new one: do the task from its beginning, and leave the folder itself alone."
	if t.Lost >= maxInterruptions {
		return m.attemptFailed("TASK_EXEC", "its working tree was removed three times", "")
	}
	t.Status, t.Lane.Step = machine.TaskPending, machine.StepPick
	return nil
}

// keepFindings keeps the findings that do not block, for the reviewer.
func keepFindings(t *machine.Task, findings []machine.Finding) {
	for _, f := range findings {
		if f.Severity != machine.Critical && !slices.Contains(t.Findings, f) {
			t.Findings = append(t.Findings, f)
		}
	}
}

// markUnproven records on a task the unproven findings with which it is committed, in place of earlier ones.
func markUnproven(t *machine.Task, unproven []machine.Finding) {
	t.Unproven = len(unproven) > 0
	t.Findings = append(slices.DeleteFunc(t.Findings, func(f machine.Finding) bool { return f.Unproven }), unproven...)
}

func lastError(t machine.Task) string {
	failed := t.Failures()
	if len(failed) == 0 {
		return ""
	}
	return failed[len(failed)-1].Error
}
