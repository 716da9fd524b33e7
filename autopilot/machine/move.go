package machine

import (
	"fmt"
	"slices"
)

// move is one application of an event: the new state in the making, and where it came from.
type move struct {
	s    *State
	e    Event
	took Edge // the edge taken, if any

	before State
	lane   *Task // in whose lane the event happened; nil is the run's own working tree
}

// run finds what the event does, does it, and holds the outcome against the table.
func (m *move) run(before State) error {
	if m.s.CurrentPhase < 0 || m.s.CurrentPhase >= len(m.s.Phases) {
		if !slices.Contains([]EventType{RunStarted, Used, Noted, SnapshotTaken}, m.e.Type) {
			return m.illegal("the session has no phase to work on")
		}
	}
	if m.e.Evidence != nil {
		m.s.Evidences++
	}
	if t := m.laneOf(); t != nil {
		return m.inLane(t)
	}
	if handle, ok := anyTime[m.e.Type]; ok {
		return handle(m)
	}
	row, ok := Steps[m.s.CurrentState][m.s.Step][m.e.Type]
	if !ok {
		return m.illegal("it has no row in the table of steps")
	}
	if m.s.Gate != nil && !(m.e.Type == PlanEdited && m.s.Gate.Kind == GateApprovePlan) {
		return m.illegal("gate " + m.s.Gate.ID + " is open")
	}
	m.s.ByProducts = union(m.s.ByProducts, m.e.ByProducts)
	if err := handlers[m.s.CurrentState](m); err != nil {
		return err
	}
	switch {
	case m.took != "" && slices.Contains(row, leave), m.took == "" && slices.Contains(row, m.s.Step),
		m.took == "" && m.s.Step == before.Step && slices.Contains(row, stay):
		return nil
	}
	return m.illegal(fmt.Sprintf("it led to %s %s, which its row does not have", m.s.CurrentState, m.s.Step))
}

func (m *move) illegal(why string) error {
	return &IllegalEventError{State: m.s.CurrentState, Step: m.s.Step, Event: m.e.Type, Why: why}
}

// edge takes an edge of the state table. One event takes at most one.
func (m *move) edge(e Edge) error {
	to, ok := Edges[m.s.CurrentState][e]
	if !ok {
		return m.illegal(fmt.Sprintf("%s has no edge %s", m.s.CurrentState, e))
	}
	if m.took != "" {
		return m.illegal(fmt.Sprintf("it took %s already", m.took))
	}
	if m.s.LanesBusy() {
		return m.illegal("a lane is at work")
	}
	m.dropLanes()
	m.took, m.s.CurrentState, m.s.InFlight = e, to, nil
	m.enter(to)
	return nil
}

// enter sets the first step of a state, and what a state begins with.
func (m *move) enter(to Name) {
	m.s.Gate, m.s.CurrentTask = nil, ""
	p := m.phase()
	p.Tries, p.Failure = 0, ""
	if m.took != Revise {
		p.Remark = ""
	}
	switch to {
	case Assess:
		m.enterAssess()
	case Plan:
		m.enterPlan()
	case ApprovePlan:
		m.s.Step = StepWeigh
	case Execute:
		m.s.Step = StepPick
		if m.took == Approved {
			m.s.Step = StepPlanCommit
		}
	case Verify:
		m.s.Step = StepCommands
	case Review:
		m.s.Step = StepReview
	case PhaseComplete:
		m.s.Step = StepRecord
	case FinalReview:
		m.enterFinalReview()
	case Done:
		m.s.Step, m.s.ClosingDone, m.s.Snapshots = StepClose, nil, nil
	}
}

// count adds the time since the last event to the running time, unless nobody was running or a human was thinking; to
// their accounts what budgets count; and to the metrics those of a dispatch that ended.
func (m *move) count(before State) {
	seconds := m.elapsed(before)
	m.s.Elapsed += seconds
	m.spend(before, seconds)
	if m.e.Slept > 0 {
		m.sleptInFlight()
	}
	if m.e.Type == DispatchEnded && m.e.Ended.Metrics != nil {
		m.s.Metrics = m.s.Metrics.Plus(*m.e.Ended.Metrics)
	}
}

// elapsed is the running time since the last event.
func (m *move) elapsed(before State) float64 {
	human := before.Gate != nil || m.e.Type == RunStarted || m.e.Type == PhaseRedone || m.e.Type == PlanBrought
	if human || before.UpdatedAt.IsZero() || !m.e.Time.After(before.UpdatedAt) {
		return 0
	}
	return max(0, m.e.Time.Sub(before.UpdatedAt).Seconds()-m.e.Slept)
}
