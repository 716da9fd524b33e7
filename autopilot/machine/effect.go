package machine

import "fmt"

func effectInFlight(s *State) *Effect {
	if len(s.InFlight) == 0 {
		return nil
	}
	return s.InFlight[0].Effect
}

// committing are the commits that belong to no task, and what those of tasks have in common with them.
type committing struct{ *move }

func (m committing) effectIntended() error {
	if m.e.Effect == nil || m.e.Effect.Key == "" {
		return m.illegal("it names no effect")
	}
	if old := effectInFlight(m.s); old != nil && old.Resolve != effectRepeat && old.Parent != m.e.Effect.Parent {
		return m.illegal("another effect is in flight")
	}
	effect := *m.e.Effect
	m.s.InFlight = []InFlight{{Effect: &effect}}
	return nil
}

// effectDone ends a commit that belongs to no task.
func (m committing) effectDone(next StepName) error {
	if effectInFlight(m.s) == nil && m.e.Commit != "" {
		return m.illegal("no effect is in flight")
	}
	m.s.InFlight, m.s.Step = nil, next
	return nil
}

// committed completes a task, unless a hook changed the tree: then the tree is checked again. A hook that does so at
// every commit fails the attempt, which Rollback may then undo.
func (m tasking) committed() error {
	if effectInFlight(m.s) == nil && m.e.Commit != "" {
		return m.illegal("no effect is in flight")
	}
	m.s.InFlight = nil
	t := find(m.s.Tasks, m.s.CurrentTask)
	if len(m.e.Hooked) > 0 {
		if t.Commit != "" {
			return m.attemptFailed("TASK_EXEC", "the repository's commit hook changes files at every commit", "")
		}
		t.Commit, m.s.Step = m.e.Commit, StepValidate
		return nil
	}
	if m.e.Commit != "" {
		t.Commit = m.e.Commit
	}
	t.Attempts = append(t.Attempts, Attempt{Timestamp: m.e.Time, Result: "passed"})
	t.Status, m.s.CurrentTask, m.s.Step = TaskCompleted, "", StepPick
	m.askAfter(t)
	return nil
}

// taskCommitRefused: a hook's no, or a commit that did not hold what was validated, is a failed attempt of a task.
func (m tasking) taskCommitRefused() error {
	t := find(m.s.Tasks, m.s.CurrentTask)
	if m.s.Step != StepCommit || t == nil {
		return committing(m).commitRefused()
	}
	m.s.InFlight = nil
	if len(m.e.Findings) > 0 {
		t.keep(m.e.Findings)
		return m.attemptFailed("TASK_EXEC", describe(m.e.Findings), "")
	}
	return m.attemptFailed("TASK_EXEC", "the repository's commit hook refused the commit: "+m.e.Detail, "")
}

// commitRefused asks a human about a commit that belongs to no task.
func (m committing) commitRefused() error {
	m.s.InFlight = nil
	m.ask(GateBlocked, blockedOptions(m.s.CurrentState), fmt.Sprintf("The commit was refused: %s", m.e.Detail))
	return nil
}

// outside takes the events of a commit that belongs to no task; then is the step behind it.
func (m committing) outside(then StepName) error {
	switch m.e.Type {
	case EffectIntended:
		return m.effectIntended()
	case EffectDone:
		return m.effectDone(then)
	}
	return m.commitRefused()
}

// effectBeside is a commit beside what the step is about. A hook's no is nobody's question: the step goes on without.
func (m committing) effectBeside() (is bool, err error) {
	switch m.e.Type {
	case EffectIntended:
		return true, m.effectIntended()
	case EffectDone:
		return true, m.effectDone(m.s.Step)
	case CommitRefused:
		m.s.InFlight = nil
		return true, nil
	}
	if effectInFlight(m.s) != nil {
		return true, m.illegal("a commit is in flight")
	}
	return false, nil
}
