package transition

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// anyTime are the events that need no row in Steps.
var anyTime = map[machine.EventType]func(*move) error{
	machine.RunStarted:       func(m *move) error { return bookkeeping{m}.runStarted() },
	machine.Used:             func(m *move) error { return bookkeeping{m}.used() },
	machine.FindingDismissed: func(m *move) error { return registering{m}.dismissed() },
	machine.Noted:            func(m *move) error { return bookkeeping{m}.noted() },
	machine.SnapshotTaken:    func(m *move) error { return bookkeeping{m}.snapshotTaken() },
	machine.GateRaised:       func(m *move) error { return asking{m}.gateRaised() },
	machine.Answered:         func(m *move) error { return answering{m}.answered() },
	machine.Drained:          func(m *move) error { return asking{m}.drained() },
	machine.SpecReread:       func(m *move) error { return scoping{m}.specReread() },
	machine.PlanBrought:      func(m *move) error { return planning{m}.planBrought() },
	machine.PlansSeen:        func(m *move) error { return planning{m}.plansSeen() },
	machine.AsideEnded:       func(m *move) error { return bookkeeping{m}.asideEnded() },
	machine.PhaseRedone:      func(m *move) error { return scoping{m}.phaseRedone() },
	machine.UndoIntended:     func(m *move) error { return undoing{m}.undoIntended() },
	machine.Undone:           func(m *move) error { return undoing{m}.undone() },
	machine.PhaseLeftOut:     func(m *move) error { return scoping{m}.phaseLeftOut() },
	machine.PhasesReordered:  func(m *move) error { return scoping{m}.phasesReordered() },
}

// handlers say, for each state, what the events of its steps do.
var handlers = map[machine.Name]func(*move) error{
	machine.Init:          func(m *move) error { return starting{m}.inInit() },
	machine.Assess:        func(m *move) error { return starting{m}.inAssess() },
	machine.Plan:          func(m *move) error { return planning{m}.inPlan() },
	machine.ApprovePlan:   func(m *move) error { return approving{m}.inApprovePlan() },
	machine.Execute:       func(m *move) error { return executing{m}.inExecute() },
	machine.Verify:        func(m *move) error { return verifying{m}.inVerify() },
	machine.Review:        func(m *move) error { return reviewing{m}.inReview() },
	machine.PhaseComplete: func(m *move) error { return completing{m}.inPhaseComplete() },
	machine.FinalReview:   func(m *move) error { return finalReviewing{m}.inFinalReview() },
	machine.Done:          func(m *move) error { return closing{m}.inDone() },
}

// Apply returns the state that the event leads to. It never changes s. A stale, doubled or illegal event, and an
// answer that its gate does not take, are errors (StaleEventError, IllegalEventError, AnswerError).
func Apply(s machine.State, e machine.Event) (machine.State, error) {
	if e.Rev != s.Revision+1 {
		return s, &machine.StaleEventError{State: s.Revision, Event: e.Rev}
	}
	if e.Type == machine.Created || e.Type == machine.Imported {
		return begin(s, e)
	}
	next := clone(s)
	m := &move{s: &next, e: e, before: s}
	registering{m}.keep()
	if err := m.run(); err != nil {
		return s, err
	}
	if m.took != "" {
		m.enter()
	}
	m.hold()
	accounts{m}.count()
	registering{m}.waive()
	m.keepSnapshots()
	next.Revision = e.Rev
	next.UpdatedAt = e.Time
	next.RetryBudget.CurrentTask = budgeted(&next)
	fill(&next)
	return next, nil
}

// begin makes the state of a new session from its first event.
func begin(s machine.State, e machine.Event) (machine.State, error) {
	if e.Initial == nil || s.Revision != 0 {
		return s, &machine.IllegalEventError{State: s.CurrentState, Step: s.Step, Event: e.Type, Why: "a session begins once, with a state"}
	}
	next := clone(*e.Initial)
	next.SchemaVersion, next.Revision, next.UpdatedAt = machine.SchemaVersion, e.Rev, e.Time
	if next.CurrentState == "" {
		next.CurrentState, next.Step = machine.Init, machine.StepBranch
	}
	if next.FinalReview.Status == "" {
		next.FinalReview.Status = "pending"
	}
	if next.Register == nil {
		next.Register = machine.RegisterOf(next)
	}
	fill(&next)
	return next, nil
}

// run finds what the event does, does it, and holds the outcome against the table.
func (m *move) run() error {
	if m.s.CurrentPhase < 0 || m.s.CurrentPhase >= len(m.s.Phases) {
		if !slices.Contains([]machine.EventType{machine.RunStarted, machine.Used, machine.Noted, machine.SnapshotTaken}, m.e.Type) {
			return m.illegal("the session has no phase to work on")
		}
	}
	if m.s.Undoing != nil && m.e.Type != machine.Undone {
		return m.illegal("an undo was cut off, and has to be finished first: autopilot undo " + m.s.SpecPath)
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
	row, ok := machine.Steps[m.s.CurrentState][m.s.Step][m.e.Type]
	if !ok {
		return m.illegal("it has no row in the table of steps")
	}
	if m.s.Gate != nil && !(m.e.Type == machine.PlanEdited && m.s.Gate.Kind == machine.GateApprovePlan) {
		return m.illegal("gate " + m.s.Gate.ID + " is open")
	}
	m.s.ByProducts = union(m.s.ByProducts, m.e.ByProducts)
	handle := handlers[m.s.CurrentState]
	if m.e.Type == machine.Dispatched { // alike in all states
		handle = func(m *move) error { return dispatching{m}.dispatched(row[0]) }
	}
	if err := handle(m); err != nil {
		return err
	}
	switch {
	case m.took != "" && slices.Contains(row, machine.Leave), m.took == "" && slices.Contains(row, m.s.Step),
		m.took == "" && m.s.Step == m.before.Step && slices.Contains(row, machine.Stay):
		return nil
	}
	return m.illegal(fmt.Sprintf("it led to %s %s, which its row does not have", m.s.CurrentState, m.s.Step))
}

// enter sets the first step of the state that an edge led to, and what a state begins with.
func (m *move) enter() {
	m.s.Gate, m.s.CurrentTask = nil, ""
	p := phase(m.s)
	p.Tries, p.Failure = 0, ""
	if m.took != machine.Revise {
		p.Remark = ""
	}
	switch m.s.CurrentState {
	case machine.Assess:
		starting{m}.enterAssess()
	case machine.Plan:
		planning{m}.enterPlan()
	case machine.ApprovePlan:
		m.s.Step = machine.StepWeigh
	case machine.Execute:
		m.s.Step = machine.StepPick
		if m.took == machine.Approved {
			m.s.Step = machine.StepPlanCommit
		}
	case machine.Verify:
		m.s.Step = machine.StepCommands
	case machine.Review:
		m.s.Step = machine.StepReview
	case machine.PhaseComplete:
		m.s.Step = machine.StepRecord
	case machine.FinalReview:
		finalReviewing{m}.enterFinalReview()
	case machine.Done:
		m.s.Step, m.s.ClosingDone, m.s.Snapshots = machine.StepClose, nil, nil
		m.s.FinalReview.Findings = registering{m}.asRegistered(m.s.FinalReview.Findings)
	}
}

// hold lets a question wait until the lanes are quiet: a wave drains first.
func (m *move) hold() {
	if m.s.Gate == nil || m.before.Gate != nil {
		return
	}
	if m.lane != nil {
		m.lane.Lane.Held = true
	}
	if m.lane != nil || m.s.LanesBusy() {
		m.s.Suspended, m.s.Gate = append(m.s.Suspended, *m.s.Gate), nil
	}
}
