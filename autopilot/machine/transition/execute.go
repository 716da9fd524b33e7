package transition

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

func (m executing) inExecute() error {
	switch m.e.Type {
	case machine.TasksFinished:
		if len(openTasks(m.s)) > 0 {
			return m.illegal("tasks are open")
		}
		for i := range m.s.Tasks { // a checkpoint that the plan gained later, or that was dropped when the spec changed
			if m.s.Tasks[i].Status == machine.TaskCompleted && tasking(m).askAfter(&m.s.Tasks[i]) {
				return nil
			}
		}
		return m.edge(machine.TasksDone)
	case machine.PlanEdited:
		if m.e.Plan == nil {
			return m.illegal("it carries no plan")
		}
		editedPlan(m.s, m.e.Plan)
		return m.edge(machine.PlanChanged)
	case machine.EffectDone:
		switch m.s.Step {
		case machine.StepPlanCommit, machine.StepCheckpointCommit:
			return committing(m).effectDone(machine.StepPick)
		case machine.StepRecoveryCommit:
			err := committing(m).effectDone(machine.StepRecoveryCommit)
			m.askExhausted("") // now that the work so far is kept
			return err
		}
	case machine.Validated:
		if m.s.Step == machine.StepRescue {
			return m.rescued()
		}
	}
	return tasking(m).inTasks()
}

// inTasks is what EXECUTE and the fix rounds of FINAL_REVIEW share.
func (m tasking) inTasks() error {
	switch m.e.Type {
	case machine.TaskStarted:
		return m.taskStarted()
	case machine.TasksExhausted:
		if _, ok := machine.NextTask(*m.s); ok || len(openTasks(m.s)) == 0 || m.s.LanesOpen() {
			return m.illegal("a task can still run, or none is open")
		}
		m.s.Step, m.s.CurrentTask = machine.StepRecoveryCommit, ""
		return nil
	case machine.DispatchEnded:
		if *m.at() == machine.StepDiagnosis {
			return m.diagnosed()
		}
		return m.taskReplied()
	case machine.Validated:
		return m.validated()
	case machine.EffectIntended:
		return committing(m).effectIntended()
	case machine.EffectDone:
		return m.committed()
	case machine.CommitRefused:
		return m.taskCommitRefused()
	case machine.RolledBack:
		m.s.Step = machine.StepPick
		return nil
	}
	return m.illegal("no handler takes it")
}

// taskStarted begins an attempt of the task that is next, or opens the gate that stands before it.
func (m tasking) taskStarted() error {
	if m.s.Step != machine.StepPick && m.e.Task == m.s.CurrentTask { // a human changed its files since: it is picked once more
		m.s.Step = machine.StepPick
		return nil
	}
	next, ok := machine.NextTask(*m.s)
	if !ok || next != m.e.Task {
		return m.illegal(fmt.Sprintf("task %s is not the next one", m.e.Task))
	}
	t := machine.FindTask(m.s.Tasks, next)
	m.s.CurrentTask = next
	m.s.LeftOut = slices.DeleteFunc(m.s.LeftOut, func(p string) bool { return slices.Contains(m.e.Freed, p) })
	if len(m.e.Overlap) > 0 {
		m.ask(machine.GateDirtyOverlap, fmt.Sprintf("Task %s is about to change files in which you have uncommitted changes. Please commit them first.", t.Title), m.e.Overlap...)
		return nil
	}
	if m.askBefore(t) {
		return nil
	}
	m.begin(t)
	return nil
}

func (m executing) askExhausted(trouble string) {
	var context []string
	for _, t := range openTasks(m.s) {
		why := lastError(t)
		if t.Status != machine.TaskFailed {
			why = "it waits for " + strings.Join(t.DependsOn, ", ")
		}
		context = append(context, fmt.Sprintf("%s %s: %s", t.ID, t.Title, why))
	}
	m.s.CurrentTask = firstFailed(m.s)
	g := m.ask(machine.GateTasksExhausted, "Tasks are left, and none of them can run any more. What now?", append(line(trouble), context...)...)
	m.offerGoingOn(g)
}

// offerGoingOn has the question about a task that failed offer to try it again, and to go on without it where nothing waits for
// it. An older program offered neither.
func (m executing) offerGoingOn(g *machine.Gate) {
	t := machine.FindTask(m.s.Tasks, g.Task)
	drop := func(effect string) {
		g.Options = slices.DeleteFunc(g.Options, func(o machine.Option) bool { return o.Effect == effect })
	}
	if m.s.Edition < 1 || t == nil || t.Status != machine.TaskFailed {
		drop(machine.EffectAfresh)
		drop(machine.EffectDrop)
		return
	}
	g.Context = append(g.Context, "What failed is in .harness/failures.md, and the work so far in a commit.")
	for _, other := range openTasks(m.s) {
		if slices.Contains(other.DependsOn, t.ID) {
			drop(machine.EffectDrop)
			g.Context = append(g.Context, "skip is not offered: "+other.ID+" waits for "+t.ID)
			return
		}
	}
}

// goOnFrom takes a human's word on a task that failed: it begins afresh, on what was kept of its work, or is left out.
func (m executing) goOnFrom(gate machine.Gate, o machine.Option) error {
	t := machine.FindTask(m.s.Tasks, gate.Task)
	if t == nil || t.Status != machine.TaskFailed {
		return m.illegal("the task is gone")
	}
	m.s.CurrentTask, m.s.Step = "", machine.StepPick
	if o.Effect == machine.EffectAfresh {
		t.Status, t.Base, t.Commit, t.Remark = machine.TaskPending, "", "", m.e.Answer.Reason
		t.Extra += m.s.RetryBudget.MaxAttempts + 1
		m.s.CurrentTask = t.ID
		return nil
	}
	t.Status = machine.TaskSkipped
	if !t.Needed(m.s.RigorLevel) { // what it was to fix is open by itself
		return nil
	}
	m.s.Register = m.s.Register.Raise(machine.Entry{Phase: m.s.CurrentPhase + 1, Task: t.ID, RaisedAt: m.e.Time, Finding: machine.Finding{
		Severity: machine.Important, Title: t.ID + " was skipped: " + t.Title, Rationale: m.e.Answer.Reason, Source: machine.SourceSkipped,
	}})
	return nil
}

// rescued takes what a human fixed by hand, where the evidence holds.
func (m executing) rescued() error {
	noteFlakes(m.s, m.e.Task, m.e.Checks)
	t := machine.FindTask(m.s.Tasks, m.s.CurrentTask)
	failed := m.s.NotPassed(m.e.Checks)
	largeSettled(t)
	unproven, others := m.s.SplitUnproven(m.e.Findings)
	bad := machine.Blocking(others, machine.Standard)
	if len(failed)+len(bad) > 0 {
		m.askExhausted("What you fixed does not pass yet. " + strings.Join(append(machine.Details(failed), machine.Describe(bad)...), "; "))
		return nil
	}
	if tasking(m).asksLarge(t) {
		return nil
	}
	t.ByHuman, t.Status, t.Commit, t.Summary = true, machine.TaskRunning, "", ""
	t.Unverified = !machine.Passing(m.e.Checks)
	markUnproven(t, unproven)
	m.s.Step = machine.StepCommit
	return nil
}

// openTasks lists the tasks that are not completed.
func openTasks(s *machine.State) []machine.Task {
	return slices.DeleteFunc(slices.Clone(s.Tasks), machine.Task.Over)
}

// firstFailed is the task that failed for good; where none did, and yet none can run, the first that waits.
func firstFailed(s *machine.State) string {
	for _, t := range s.Tasks {
		if t.Status == machine.TaskFailed {
			return t.ID
		}
	}
	for _, t := range openTasks(s) {
		return t.ID
	}
	return ""
}

// nextID numbers a task on from those that are there.
func nextID(tasks []machine.Task) string {
	highest := 0
	for _, t := range tasks {
		var n int
		if _, err := fmt.Sscanf(t.ID, "task-%d", &n); err == nil {
			highest = max(highest, n)
		}
	}
	return machine.TaskID(highest + 1)
}

// budgeted projects the first running task's retries.
func budgeted(s *machine.State) *machine.BudgetedTask {
	t := machine.FindTask(s.Tasks, s.CurrentTask)
	if t == nil || t.Status == machine.TaskCompleted {
		return nil
	}
	return &machine.BudgetedTask{Name: strings.TrimSpace(t.ID + " " + t.Title), AttemptsUsed: len(t.Attempts), Attempts: slices.Clone(t.Attempts)}
}
