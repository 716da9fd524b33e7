package transition

import (
	"cmp"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

// diagnosed takes a diagnosis, in place of an older one; without one the retry goes on all the same.
func (m tasking) diagnosed() error {
	d, err := dispatching(m).spent(machine.StepDiagnose)
	if d == nil {
		return err
	}
	t, end := m.current(), m.e.Ended
	t.Diagnosis, t.DiagnosedAfter = noDiagnosis, len(t.Failures())
	keepFindings(t, end.Findings)
	if end.Reply != nil && len(machine.Blocking(end.Findings, machine.Standard)) == 0 {
		t.Diagnosis = end.Reply.Summary
		for _, f := range end.Reply.Findings {
			t.Diagnosis += "\n- " + f.String()
		}
	}
	*m.at() = machine.StepDispatch
	return nil
}

func (m tasking) taskReplied() error {
	if t := m.current(); t != nil {
		t.Claimed = union(t.Claimed, m.e.Claimed)
	}
	d, err := dispatching(m).spent(machine.StepDispatch)
	if d == nil {
		return err
	}
	end, t := m.e.Ended, m.current()
	if end.Outcome == machine.OutcomeInterrupted {
		return m.attemptFailed("SESSION_TIMEOUT", "it was cut off three times", "")
	}
	t.Remark, m.s.Notes = "", nil
	keepFindings(t, end.Findings)
	if misdeeds := machine.Blocking(end.Findings, machine.Standard); len(misdeeds) > 0 {
		return m.attemptFailed("TASK_EXEC", "the agent changed what it may not change: "+machine.Titles(misdeeds), "")
	}
	switch {
	case end.Lost && m.lane != nil:
		return m.laneLost(t)
	case end.Outcome == machine.OutcomeTimedOut:
		return m.attemptFailed("TIMEOUT", end.Detail, "")
	case end.Outcome != machine.OutcomeReply || end.Reply == nil:
		return m.attemptFailed("TASK_EXEC", said(end), "")
	case end.Reply.Status == "failed":
		category, _ := m.s.ChecksAgainst(m.e.Checks)
		return m.attemptFailed(cmp.Or(category, "TASK_EXEC"), "the agent reported that it failed: "+why(end.Reply), end.Reply.Summary)
	case end.Reply.Status == "blocked":
		*m.at() = machine.StepDispatch
		dispatching(m).askBlocked(d, why(end.Reply))
		return nil
	}
	t.Findings = append(t.Findings, machine.FromPersona(end.Reply.Findings, "executor")...)
	if end.Explains {
		t.Concerns = union(t.Concerns, end.Reply.Concerns)
	}
	if m.s.Edition >= 1 {
		t.Summary = machine.Beginning(end.Reply.Summary)
	}
	if t.Warned = t.Warned || end.Warned; t.Warned || t.PassesBefore() {
		t.Account = end.Reply.Summary
	}
	*m.at() = machine.StepValidate
	return nil
}

// validated decides on a task by its evidence: nothing that could not be checked counts as failed or as passed.
func (m tasking) validated() error {
	t := m.current()
	largeSettled(t)
	settle(m.s, m.e.Task, m.e.Checks)
	unproven, others := m.s.SplitUnproven(m.e.Findings)
	if bad := machine.Blocking(others, machine.Standard); len(bad) > 0 {
		keepFindings(t, m.e.Findings)
		if t.MayBeDone(others) {
			m.ask(machine.GateAlreadyDone, fmt.Sprintf("Task %s changed nothing, and its validation passed before it, too. Is it already done?", t.Title), "Its agent says: "+t.Account)
			return nil
		}
		return m.attemptFailed("TASK_EXEC", strings.Join(machine.Describe(bad), "\n"), "")
	}
	if could := m.s.Unaccepted(machine.ChecksWith(m.e.Checks, machine.CheckCouldNot)); len(could) > 0 {
		m.ask(machine.GateBlocked, fmt.Sprintf("Task %s could not be checked: %s does not start.", t.Title, machine.Commands(could)), machine.Details(could)...)
		return nil
	}
	if category, reason := m.s.ChecksAgainst(m.e.Checks); reason != "" {
		return m.attemptFailed(category, reason, "")
	}
	keepFindings(t, m.e.Findings)
	t.Proofs = m.e.Proofs
	if len(unproven) > 0 && !t.Warned {
		t.Warned, t.Status, t.Remark = true, machine.TaskPending, machine.AskToProve(unproven)
		*m.at() = machine.StepPick
		return nil
	}
	markUnproven(t, unproven)
	t.Unverified = !machine.Passing(m.e.Checks)
	if !m.asksLarge(t) {
		*m.at() = machine.StepCommit
	}
	return nil
}

// alreadyDone is a person's word on a task that changed nothing: it is validated as one that is to change nothing, or tried
// again, which spends no attempt.
func (m tasking) alreadyDone(gate machine.Gate, o machine.Option) error {
	t := machine.FindTask(m.s.Tasks, gate.Task)
	if t == nil {
		return m.illegal("the task is gone")
	}
	if o.Effect == machine.EffectAdopt {
		t.FilesNone = true
		return nil
	}
	if t.Lane != nil {
		m.lane = t
	}
	t.Status, t.Remark, *m.at() = machine.TaskPending, m.e.Answer.Reason, machine.StepPick
	return nil
}

// committed completes a task, unless a hook changed the tree: then the tree is checked again. A hook that does so at
// every commit fails the attempt, which Rollback may then undo.
func (m tasking) committed() error {
	if effectInFlight(m.s) == nil && m.e.Commit != "" {
		return m.illegal("no effect is in flight")
	}
	m.s.InFlight = nil
	t := machine.FindTask(m.s.Tasks, m.s.CurrentTask)
	if len(m.e.Hooked) > 0 {
		if t.Commit != "" {
			return m.attemptFailed("TASK_EXEC", "the repository's commit hook changes files at every commit", "")
		}
		t.Commit, m.s.Step = m.e.Commit, machine.StepValidate
		return nil
	}
	if m.e.Commit != "" {
		t.Commit = m.e.Commit
	}
	t.Attempts = append(t.Attempts, machine.Attempt{Timestamp: m.e.Time, Result: "passed"})
	t.Status, m.s.CurrentTask, m.s.Step = machine.TaskCompleted, "", machine.StepPick
	m.askAfter(t)
	return nil
}

// taskCommitRefused: a hook's no, or a commit that did not hold what was validated, is a failed attempt of a task.
func (m tasking) taskCommitRefused() error {
	t := machine.FindTask(m.s.Tasks, m.s.CurrentTask)
	if m.s.Step != machine.StepCommit || t == nil {
		return committing(m).commitRefused()
	}
	m.s.InFlight = nil
	if len(m.e.Findings) > 0 {
		keepFindings(t, m.e.Findings)
		return m.attemptFailed("TASK_EXEC", strings.Join(machine.Describe(m.e.Findings), "\n"), "")
	}
	return m.attemptFailed("TASK_EXEC", "the repository's commit hook refused the commit: "+m.e.Detail, "")
}
