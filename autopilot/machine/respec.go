package machine

import (
	"fmt"
	"slices"
)

// scoping changes what the session is about: which phases there are, and in which order they come.
type scoping struct{ *move }

// specReread takes a changed spec in: phases that are not finished are read anew; where a finished one changed, moved
// or went, or the one in work went, a human decides. A later edition of the spec replaces the one asked about.
func (m scoping) specReread() error {
	if m.e.Spec == nil || len(m.e.Phases) == 0 {
		return m.illegal("it carries no phases")
	}
	if err := m.quiet(); err != nil {
		return err
	}
	if m.s.Reread != nil && m.s.Reread.Spec.SHA256 == m.e.Spec.SHA256 {
		return nil // the question about this edition is open already, and may have an answer on its way
	}
	m.dropSpecGates()
	m.s.Reread = &Reread{Spec: *m.e.Spec, Phases: m.e.Phases}
	touched := touched(m.s, m.e.Phases)
	if len(touched) == 0 {
		return m.takeSpec()
	}
	m.askChanged(touched)
	return nil
}

func (m scoping) askChanged(touched []string) {
	m.ask(GateSpecChanged, gateOptions[GateSpecChanged],
		"The spec changed in phases whose work is done or begun. Keep them as they are, or redo one?", touched...)
}

// dropSpecGates withdraws the question about an older edition of the spec.
func (m scoping) dropSpecGates() {
	m.s.Suspended = slices.DeleteFunc(m.s.Suspended, func(g Gate) bool { return g.Kind == GateSpecChanged })
	if m.s.Gate != nil && m.s.Gate.Kind == GateSpecChanged {
		m.s.Gate = nil
		resumeGate(m.s)
	}
}

// touched says which phases with work in them the changed spec has otherwise, elsewhere, or not at all. What was kept
// once although the spec does not have it is not asked about again.
func touched(s *State, now []PhaseText) []string {
	var touched []string
	add := func(p Phase, what string) {
		touched = append(touched, fmt.Sprintf("phase %s (%s) %s", p.Number, p.Name, what))
	}
	pairs := pair(s.Phases, now)
	for i, p := range s.Phases {
		at, done := slices.Index(pairs, i), isFinished(s, i) && p.Status != PhaseSkip
		switch {
		case at < 0 && p.Gone:
		case at < 0 && done:
			add(p, "is gone")
		case at < 0 && isInWork(s, i) && p.Status != PhaseSkip:
			add(p, "is in work, and gone")
		case done && at >= 0 && p.changedTo(now[at].SHA256):
			add(p, "changed")
		case done && at >= 0 && at != i && len(s.Order) == 0:
			add(p, "moved")
		}
	}
	return touched
}

// keepSpec is the human's word that phases with work in them stay as they are.
func (m scoping) keepSpec() error {
	if m.s.Reread == nil {
		return m.illegal("no changed spec waits")
	}
	if err := m.takeSpec(); err != nil {
		return err
	}
	if next, ok := nextPhase(m.s); ok && m.s.CurrentState == Done {
		return m.goOnWith(next)
	}
	return nil
}

// takeSpec takes the changed spec in. The current phase, where its text changed past ASSESS, has its plan looked at
// again; a final review waits for the phases that came.
func (m scoping) takeSpec() error {
	current := m.s.CurrentPhase
	before := *phase(m.s)
	where := renew(m.s)
	m.s.CurrentPhase = max(where[current], 0)
	moveGates(m.s, where)
	askAnew(m.s)
	changed := before.changedTo(phase(m.s).SpecSHA256) || before.Complexity != phase(m.s).Complexity
	if changed && slices.Contains([]Name{Plan, ApprovePlan, Execute, Verify, Review}, m.s.CurrentState) {
		return m.redo(0)
	}
	if next, ok := nextPhase(m.s); ok && m.s.CurrentState == FinalReview {
		m.s.CurrentPhase, m.s.Tasks = next, nil
		return m.redo(0)
	}
	return nil
}

// redoChanged takes the changed spec in and goes back to a phase; position is the one that the session had for it when
// it asked, 1-based.
func (m scoping) redoChanged(position int) error {
	if position < 1 || position > len(m.s.Phases) {
		return &AnswerError{Reason: fmt.Sprintf("redo wants the phase: add --phase N, from 1 to %d", len(m.s.Phases))}
	}
	if m.s.Reread == nil {
		return m.illegal("no changed spec waits")
	}
	current := m.s.CurrentPhase
	where := renew(m.s)
	if where[position-1] < 0 {
		return &AnswerError{Reason: "that phase is not in the spec any more, and nothing was done for it: there is nothing to redo"}
	}
	m.s.CurrentPhase = max(where[current], 0)
	return m.redo(where[position-1] + 1)
}
