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
func (m *move) run() error {
	if m.s.CurrentPhase < 0 || m.s.CurrentPhase >= len(m.s.Phases) {
		if !slices.Contains([]EventType{RunStarted, Used, Noted, SnapshotTaken}, m.e.Type) {
			return m.illegal("the session has no phase to work on")
		}
	}
	if m.e.Evidence != nil {
		m.s.Evidences++
	}
	if t := laneOf(m.s, m.e); t != nil {
		return laning{m}.inLane(t)
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
	if err := m.handle(row); err != nil {
		return err
	}
	switch {
	case m.took != "" && slices.Contains(row, leave), m.took == "" && slices.Contains(row, m.s.Step),
		m.took == "" && m.s.Step == m.before.Step && slices.Contains(row, stay):
		return nil
	}
	return m.illegal(fmt.Sprintf("it led to %s %s, which its row does not have", m.s.CurrentState, m.s.Step))
}

// handle does what an event of a step does. A dispatch begins alike in all states.
func (m *move) handle(row []StepName) error {
	if m.e.Type == Dispatched {
		return dispatching{m}.dispatched(row[0])
	}
	return handlers[m.s.CurrentState](m)
}

func (m *move) illegal(why string) error {
	return &IllegalEventError{State: m.s.CurrentState, Step: m.s.Step, Event: m.e.Type, Why: why}
}

// quiet refuses the event while something was begun that has no result yet.
func (m *move) quiet() error {
	if len(m.s.InFlight) > 0 || m.s.LanesBusy() {
		return m.illegal("a dispatch or a commit is in flight, and what became of it comes first")
	}
	return nil
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
	dropLanes(m.s)
	m.took, m.s.CurrentState, m.s.InFlight = e, to, nil
	return nil
}

// enter sets the first step of the state that an edge led to, and what a state begins with.
func (m *move) enter() {
	m.s.Gate, m.s.CurrentTask = nil, ""
	p := phase(m.s)
	p.Tries, p.Failure = 0, ""
	if m.took != Revise {
		p.Remark = ""
	}
	switch m.s.CurrentState {
	case Assess:
		starting{m}.enterAssess()
	case Plan:
		planning{m}.enterPlan()
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
		finalReviewing{m}.enterFinalReview()
	case Done:
		m.s.Step, m.s.ClosingDone, m.s.Snapshots = StepClose, nil, nil
	}
}

// count adds the time since the last event to the running time, unless nobody was running or a human was thinking; to
// their accounts what budgets count; and to the metrics those of a dispatch that ended.
func (m accounts) count() {
	seconds := m.elapsed()
	m.s.Elapsed += seconds
	m.spend(seconds)
	if m.e.Slept > 0 {
		sleptInFlight(m.s, m.e)
	}
	if m.e.Type == DispatchEnded && m.e.Ended.Metrics != nil {
		m.s.Metrics = m.s.Metrics.Plus(*m.e.Ended.Metrics)
	}
}

// elapsed is the running time since the last event.
func (m accounts) elapsed() float64 {
	human := m.before.Gate != nil || m.e.Type == RunStarted || m.e.Type == PhaseRedone || m.e.Type == PlanBrought
	if human || m.before.UpdatedAt.IsZero() || !m.e.Time.After(m.before.UpdatedAt) {
		return 0
	}
	return max(0, m.e.Time.Sub(m.before.UpdatedAt).Seconds()-m.e.Slept)
}
