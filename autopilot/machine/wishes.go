package machine

import (
	"fmt"
	"slices"
	"strings"
)

// phaseLeftOut leaves a phase out that a human does not want: one that is not begun, or the current one up to the
// approval of its plan. Later the questions of its own state decide.
func (m scoping) phaseLeftOut() error {
	if err := m.quiet(); err != nil {
		return err
	}
	if m.e.Phase < 1 || m.e.Phase > len(m.s.Phases) {
		return &AnswerError{Reason: fmt.Sprintf("there is no phase at position %d: the spec has %d", m.e.Phase, len(m.s.Phases))}
	}
	i := m.e.Phase - 1
	p := &m.s.Phases[i]
	switch {
	case p.Over():
		return &AnswerError{Reason: fmt.Sprintf("phase %s is %s already", p.Number, p.Status)}
	case !isInWork(m.s, i):
		m.decide("phases: skip "+p.Number, m.e.Detail, m.e.By)
		p.Status = PhaseSkip
		m.s.History = append(m.s.History, HistoryEntry{Phase: i, Name: p.Name, StartedAt: m.e.Time, CompletedAt: m.e.Time, Outcome: "skipped"})
		askAnew(m.s)
		return nil
	case m.s.CurrentState != Plan && m.s.CurrentState != ApprovePlan:
		return &AnswerError{Reason: fmt.Sprintf("phase %s is in %s, where it cannot be left out. Run on to its next question", p.Number, m.s.CurrentState)}
	}
	m.decide("phases: skip "+p.Number, m.e.Detail, m.e.By)
	p.Status = PhaseSkip
	return m.edge(PhaseSkipped)
}

// phasesReordered puts the phases that are not begun into another order.
func (m scoping) phasesReordered() error {
	if err := m.quiet(); err != nil {
		return err
	}
	waiting := unbegunPhases(m.s)
	if len(waiting) == 0 {
		return &AnswerError{Reason: "every phase has begun, so that there is none to reorder"}
	}
	var positions []int
	var numbers []string
	for _, i := range waiting {
		positions, numbers = append(positions, i+1), append(numbers, m.s.Phases[i].Number)
	}
	if wished := slices.Sorted(slices.Values(m.e.Order)); !slices.Equal(wished, positions) {
		return &AnswerError{Reason: fmt.Sprintf("the phases that are not begun are %s: name each of them once", strings.Join(numbers, ", "))}
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

// unbegunPhases lists the phases that are not begun, as indices.
func unbegunPhases(s *State) []int {
	var waiting []int
	for i, p := range s.Phases {
		if !p.Over() && !isInWork(s, i) {
			waiting = append(waiting, i)
		}
	}
	return waiting
}

// reorder puts the phases that are not begun into the order that a human wished; those that the wish does not name
// come last. where is corrected for those that moved.
func reorder(s *State, where []int) {
	if len(s.Order) == 0 {
		return
	}
	rank := func(i int) int {
		if at := slices.Index(s.Order, s.Phases[i].Number); at >= 0 {
			return at
		}
		return len(s.Order)
	}
	waiting := unbegunPhases(s)
	sorted := slices.Clone(waiting)
	slices.SortStableFunc(sorted, func(a, b int) int { return rank(a) - rank(b) })
	old := slices.Clone(s.Phases)
	moved := slices.Clone(where)
	for k, from := range sorted {
		s.Phases[waiting[k]] = old[from]
		for n, at := range where {
			if at == from {
				moved[n] = waiting[k]
			}
		}
	}
	copy(where, moved)
}

// askAnew rewords a question to go on, open or waiting, whose next phase may be another now; its id stays.
func askAnew(s *State) {
	reword := func(g *Gate) {
		if g != nil && g.Kind == GateContinue {
			g.Question = continueQuestion(s)
		}
	}
	reword(s.Gate)
	for i := range s.Suspended {
		reword(&s.Suspended[i])
	}
}

// continueQuestion asks whether to go on to what comes after the current phase.
func continueQuestion(s *State) string {
	p := phase(s)
	outcome := p.Status
	for _, h := range s.History {
		if h.Phase == s.CurrentPhase {
			outcome = h.Outcome
		}
	}
	if next, ok := nextPhase(s); ok {
		n := s.Phases[next]
		return fmt.Sprintf("Phase %s (%s) %s. Go on to phase %s: %s?", p.Number, p.Name, OutcomeWords(outcome), n.Number, n.Name)
	}
	return fmt.Sprintf("Phase %s (%s) %s. Go on to the final review?", p.Number, p.Name, OutcomeWords(outcome))
}

// OutcomeWords says for people how a phase ended. One that a human let pass against a check is over, and still counts as failed.
func OutcomeWords(outcome string) string {
	if outcome == "failed" {
		return "counts as failed"
	}
	return "is " + outcome
}
