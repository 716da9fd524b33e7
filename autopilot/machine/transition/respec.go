package transition

import (
	"cmp"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// specReread takes a changed spec in: phases that are not finished are read again; where a finished one changed, moved
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
	if m.askChanged() {
		return nil
	}
	return m.takeSpec()
}

// askChanged keeps the spec of the event, and asks about it where it touches phases with work in them.
func (m scoping) askChanged() bool {
	m.s.Reread = &machine.Reread{Spec: *m.e.Spec, Phases: m.e.Phases}
	touched := touched(m.s, m.e.Phases)
	if len(touched) > 0 {
		m.ask(machine.GateSpecChanged, "The spec changed in phases whose work is done or begun. Keep them as they are, or redo one?", touched...)
	}
	return len(touched) > 0
}

// dropSpecGates withdraws the question about an older edition of the spec.
func (m scoping) dropSpecGates() {
	m.s.Suspended = slices.DeleteFunc(m.s.Suspended, func(g machine.Gate) bool { return g.Kind == machine.GateSpecChanged })
	if m.s.Gate != nil && m.s.Gate.Kind == machine.GateSpecChanged {
		m.s.Gate = nil
		resumeGate(m.s)
	}
}

// touched says which phases with work in them the changed spec has otherwise, elsewhere, or not at all. What was kept
// once although the spec does not have it is not asked about again.
func touched(s *machine.State, now []machine.PhaseText) []string {
	var touched []string
	add := func(p machine.Phase, what string) {
		touched = append(touched, fmt.Sprintf("phase %s (%s) %s", p.Number, p.Name, what))
	}
	pairs := pair(s.Phases, now)
	for i, p := range s.Phases {
		at, done := slices.Index(pairs, i), isFinished(s, i) && p.Status != machine.PhaseSkip
		switch {
		case at < 0 && p.Gone:
		case at < 0 && done:
			add(p, "is gone")
		case at < 0 && isInWork(s, i) && p.Status != machine.PhaseSkip:
			add(p, "is in work, and gone")
		case done && at >= 0 && isChanged(p, now[at].SHA256):
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
	if next, ok := nextPhase(m.s); ok && m.s.CurrentState == machine.Done {
		return m.goOnWith(next)
	}
	return nil
}

// takeSpec takes the changed spec in. The current phase, where its text changed past ASSESS, has its plan looked at
// again; a final review waits for the phases that came.
func (m scoping) takeSpec() error {
	before := *phase(m.s)
	renew(m.s)
	askAnew(m.s)
	changed := isChanged(before, phase(m.s).SpecSHA256) || before.Complexity != phase(m.s).Complexity
	if changed && slices.Contains([]machine.Name{machine.Plan, machine.ApprovePlan, machine.Execute, machine.Verify, machine.Review}, m.s.CurrentState) {
		return m.redo(0)
	}
	if next, ok := nextPhase(m.s); ok && m.s.CurrentState == machine.FinalReview {
		m.s.CurrentPhase, m.s.Tasks = next, nil
		return m.redo(0)
	}
	return nil
}

// redoChanged takes the changed spec in and goes back to a phase; position is the one that the session had for it when
// it asked, 1-based.
func (m scoping) redoChanged(position int) error {
	if position < 1 || position > len(m.s.Phases) {
		return &machine.AnswerError{Reason: fmt.Sprintf("redo needs a phase: add --phase N, from 1 to %d", len(m.s.Phases))}
	}
	if m.s.Reread == nil {
		return m.illegal("no changed spec waits")
	}
	where := renew(m.s)
	if where[position-1] < 0 {
		return &machine.AnswerError{Reason: "that phase is not in the spec any more, and nothing was done for it: there is nothing to redo"}
	}
	return m.redo(where[position-1] + 1)
}

// redo goes back to ASSESS for a phase, 1-based; 0 is the current one. What stands after it stays as it is. What the final
// review found is not held against what is made now: it starts over.
func (m scoping) redo(position int) error {
	if position < 0 || position > len(m.s.Phases) {
		return &machine.AnswerError{Reason: fmt.Sprintf("there is no phase at position %d: the spec has %d", position, len(m.s.Phases))}
	}
	if position > 0 {
		begun := position-1 == m.s.CurrentPhase && !isFinished(m.s, position-1)
		m.s.CurrentPhase = position - 1
		old := *phase(m.s)
		if !begun {
			m.s.Tasks, m.s.Checkpoints, old.StartCommit = nil, nil, "" // of a phase in work, what is committed stays done
		}
		m.s.Phases[m.s.CurrentPhase] = machine.Phase{
			Number: old.Number, Name: old.Name, Complexity: old.Complexity, SpecSHA256: old.SpecSHA256,
			PlanPath: old.PlanPath, PlanSHA256: old.PlanSHA256, Status: machine.PhasePending, Dispatches: old.Dispatches, Reread: old.Reread, StartCommit: old.StartCommit,
		}
	}
	m.s.Suspended, m.s.Reread = nil, nil
	m.s.FinalReview.Status, m.s.FinalReview.Findings = "pending", overridden(m.s.FinalReview.Findings)
	return m.edge(machine.Redo)
}

func (m scoping) phaseRedone() error {
	if err := m.quiet(); err != nil {
		return err
	}
	if m.e.Phase < 1 {
		return m.illegal("it names no phase")
	}
	if m.e.Phase <= len(m.s.Phases) {
		m.decide("phases: redo "+m.s.Phases[m.e.Phase-1].Number, m.e.Detail, cmp.Or(m.e.By, "rule"))
	}
	return m.redo(m.e.Phase)
}

// goOnWith takes a finished session back to work on a phase that its spec gained.
func (m scoping) goOnWith(next int) error {
	m.s.CurrentPhase, m.s.Tasks = next, nil
	m.s.FinalReview = machine.FinalReviewed{Status: "pending", Dispatches: m.s.FinalReview.Dispatches, Fixes: m.s.FinalReview.Fixes}
	return m.edge(machine.Extended)
}
