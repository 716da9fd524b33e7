package transition

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// phaseLeftOut leaves a phase out that a human does not want: one that is not begun, or the current one up to the
// approval of its plan. Later the questions of its own state decide.
func (m scoping) phaseLeftOut() error {
	if err := m.quiet(); err != nil {
		return err
	}
	if m.e.Phase < 1 || m.e.Phase > len(m.s.Phases) {
		return &machine.AnswerError{Reason: fmt.Sprintf("there is no phase at position %d: the spec has %d", m.e.Phase, len(m.s.Phases))}
	}
	i := m.e.Phase - 1
	p := &m.s.Phases[i]
	switch {
	case p.Over():
		return &machine.AnswerError{Reason: fmt.Sprintf("phase %s is %s already", p.Number, p.Status)}
	case !isInWork(m.s, i):
		m.decide("phases: skip "+p.Number, m.e.Detail, m.e.By)
		p.Status = machine.PhaseSkip
		m.s.History = append(m.s.History, machine.HistoryEntry{Phase: i, Name: p.Name, StartedAt: m.e.Time, CompletedAt: m.e.Time, Outcome: "skipped"})
		askAnew(m.s)
		return nil
	case m.s.CurrentState != machine.Plan && m.s.CurrentState != machine.ApprovePlan:
		return &machine.AnswerError{Reason: fmt.Sprintf("phase %s is in %s, where it cannot be left out. Run on to its next question", p.Number, m.s.CurrentState)}
	}
	m.decide("phases: skip "+p.Number, m.e.Detail, m.e.By)
	p.Status = machine.PhaseSkip
	return m.edge(machine.PhaseSkipped)
}

// phasesReordered puts the phases that are not begun into another order.
func (m scoping) phasesReordered() error {
	if err := m.quiet(); err != nil {
		return err
	}
	waiting := unbegunPhases(m.s)
	if len(waiting) == 0 {
		return &machine.AnswerError{Reason: "every phase has begun, so that there is none to reorder"}
	}
	var positions []int
	var numbers []string
	for _, i := range waiting {
		positions, numbers = append(positions, i+1), append(numbers, m.s.Phases[i].Number)
	}
	if wished := slices.Sorted(slices.Values(m.e.Order)); !slices.Equal(wished, positions) {
		return &machine.AnswerError{Reason: fmt.Sprintf("the phases that are not begun are %s: name each of them once", strings.Join(numbers, ", "))}
	}
	m.s.Order = nil
	for _, position := range m.e.Order {
		m.s.Order = append(m.s.Order, m.s.Phases[position-1].Number)
	}
	where := make([]int, len(m.s.Phases))
	for i := range where {
		where[i] = i
	}
	reorder(m.s, where)
	moveRecords(m.s, where)
	m.decide("phases: reorder "+strings.Join(m.s.Order, ", "), m.e.Detail, m.e.By)
	askAnew(m.s)
	return nil
}
