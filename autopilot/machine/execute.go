package machine

import (
	"fmt"
	"slices"
)

// executing is EXECUTE, around the single tasks.
type executing struct{ *move }

func (m executing) inExecute() error {
	switch m.e.Type {
	case TasksFinished:
		if len(openTasks(m.s)) > 0 {
			return m.illegal("tasks are open")
		}
		if m.askLeft() {
			return nil
		}
		return m.edge(TasksDone)
	case PlanEdited:
		if m.e.Plan == nil {
			return m.illegal("it carries no plan")
		}
		editedPlan(m.s, m.e.Plan)
		return m.edge(PlanChanged)
	case EffectDone:
		switch m.s.Step {
		case StepPlanCommit, StepCheckpointCommit:
			return committing(m).effectDone(StepPick)
		case StepRecoveryCommit:
			return m.recovered()
		}
	case Validated:
		if m.s.Step == StepRescue {
			return m.rescued()
		}
	}
	return tasking(m).inTasks()
}

// tasking are the steps of one task, which EXECUTE, its lanes and the fix rounds of FINAL_REVIEW share.
type tasking struct{ *move }

// inTasks is what EXECUTE and the fix rounds of FINAL_REVIEW share.
func (m tasking) inTasks() error {
	switch m.e.Type {
	case TaskStarted:
		return m.taskStarted()
	case TasksExhausted:
		if _, ok := NextTask(*m.s); ok || len(openTasks(m.s)) == 0 || m.s.lanesOpen() {
			return m.illegal("a task can still run, or none is open")
		}
		m.s.Step, m.s.CurrentTask = StepRecoveryCommit, ""
		return nil
	case DispatchEnded:
		if *m.at() == StepDiagnosis {
			return m.diagnosed()
		}
		return m.taskReplied()
	case Validated:
		return m.validated()
	case EffectIntended:
		return committing(m).effectIntended()
	case EffectDone:
		return m.committed()
	case CommitRefused:
		return m.taskCommitRefused()
	case RolledBack:
		m.s.Step = StepPick
		return nil
	}
	return m.illegal("no handler takes it")
}

// taskStarted begins an attempt of the task that is next, or opens the gate that stands before it.
func (m tasking) taskStarted() error {
	if m.s.Step != StepPick && m.e.Task == m.s.CurrentTask { // a human changed its files since: it is picked once more
		m.s.Step = StepPick
		return nil
	}
	next, ok := NextTask(*m.s)
	if !ok || next != m.e.Task {
		return m.illegal(fmt.Sprintf("task %s is not the next one", m.e.Task))
	}
	t := find(m.s.Tasks, next)
	m.s.CurrentTask = next
	m.s.LeftOut = slices.DeleteFunc(m.s.LeftOut, func(p string) bool { return slices.Contains(m.e.Freed, p) })
	if len(m.e.Overlap) > 0 {
		m.ask(GateDirtyOverlap, gateOptions[GateDirtyOverlap],
			fmt.Sprintf("Task %s is about to change files in which you have uncommitted changes. Please commit them first.", t.Title), m.e.Overlap...)
		return nil
	}
	if m.askBefore(t) {
		return nil
	}
	m.begin(t)
	return nil
}

// begin begins an attempt of a task.
func (m tasking) begin(t *Task) {
	t.Status, t.Commit = TaskRunning, ""
	if t.Base == "" {
		t.Base, t.Leftover, t.Claimed = m.e.Base, m.e.Leftover, nil
	}
	*m.at() = StepDispatch
	if t.wantsDiagnosis(m.s.retries()) {
		*m.at() = StepDiagnose
	}
}

// attemptFailed spends an attempt of the current task.
func (m tasking) attemptFailed(category, reason, fix string) error {
	t := m.current()
	t.Attempts = append(t.Attempts, Attempt{Timestamp: m.e.Time, Error: reason, Category: category, Fix: fix, Result: "failed", Signature: signature(m.e)})
	t.Status, t.Lost = TaskPending, 0
	if t.failures() > m.s.retries()+t.Extra {
		t.Status = TaskFailed
	}
	*m.at() = StepPick
	if m.e.Rollback {
		*m.at() = StepRollback
	}
	return nil
}
