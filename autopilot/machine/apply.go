package machine

import "fmt"

// IllegalEventError says that an event may not happen where the session stands. The state is left as it was.
type IllegalEventError struct {
	State Name
	Step  StepName
	Event EventType
	Why   string
}

func (e *IllegalEventError) Error() string {
	return fmt.Sprintf("event %s is not possible in %s (step %s): %s", e.Event, e.State, e.Step, e.Why)
}

// StaleEventError says that an event was made for another revision than the state has: it is late, or doubled.
type StaleEventError struct{ State, Event int64 }

func (e *StaleEventError) Error() string {
	return fmt.Sprintf("the event leads to revision %d, but the state is at %d", e.Event, e.State)
}

// anyTime are the events that need no row in Steps.
var anyTime = map[EventType]func(*move) error{
	RunStarted:      func(m *move) error { return bookkeeping{m}.runStarted() },
	Used:            func(m *move) error { return bookkeeping{m}.used() },
	Noted:           func(m *move) error { return bookkeeping{m}.noted() },
	SnapshotTaken:   func(*move) error { return nil }, // what it carries is kept for every event
	GateRaised:      func(m *move) error { return asking{m}.gateRaised() },
	Answered:        func(m *move) error { return answering{m}.answered() },
	Drained:         func(m *move) error { return asking{m}.drained() },
	SpecReread:      func(m *move) error { return scoping{m}.specReread() },
	PlanBrought:     func(m *move) error { return planning{m}.planBrought() },
	PlansSeen:       func(m *move) error { return planning{m}.plansSeen() },
	AsideEnded:      func(m *move) error { return bookkeeping{m}.asideEnded() },
	PhaseRedone:     func(m *move) error { return scoping{m}.phaseRedone() },
	PhaseLeftOut:    func(m *move) error { return scoping{m}.phaseLeftOut() },
	PhasesReordered: func(m *move) error { return scoping{m}.phasesReordered() },
}

// handlers say, for each state, what the events of its steps do.
var handlers = map[Name]func(*move) error{
	Init:          func(m *move) error { return starting{m}.inInit() },
	Assess:        func(m *move) error { return starting{m}.inAssess() },
	Plan:          func(m *move) error { return planning{m}.inPlan() },
	ApprovePlan:   func(m *move) error { return approving{m}.inApprovePlan() },
	Execute:       func(m *move) error { return executing{m}.inExecute() },
	Verify:        func(m *move) error { return verifying{m}.inVerify() },
	Review:        func(m *move) error { return reviewing{m}.inReview() },
	PhaseComplete: func(m *move) error { return completing{m}.inPhaseComplete() },
	FinalReview:   func(m *move) error { return finalReviewing{m}.inFinalReview() },
	Done:          func(m *move) error { return closing{m}.inDone() },
}

// Apply returns the state that the event leads to. It never changes s. A stale, doubled or illegal event, and an
// answer that its gate does not take, are errors (StaleEventError, IllegalEventError, AnswerError).
func Apply(s State, e Event) (State, error) {
	if e.Rev != s.Revision+1 {
		return s, &StaleEventError{State: s.Revision, Event: e.Rev}
	}
	if e.Type == Created || e.Type == Imported {
		return begin(s, e)
	}
	next := s.clone()
	m := &move{s: &next, e: e, before: s}
	if err := m.run(); err != nil {
		return s, err
	}
	if m.took != "" {
		m.enter()
	}
	m.hold()
	accounts{m}.count()
	m.keepSnapshots()
	next.Revision = e.Rev
	next.UpdatedAt = e.Time
	next.RetryBudget.CurrentTask = budgeted(&next)
	next.fill()
	return next, nil
}

// begin makes the state of a new session from its first event.
func begin(s State, e Event) (State, error) {
	if e.Initial == nil || s.Revision != 0 {
		return s, &IllegalEventError{State: s.CurrentState, Step: s.Step, Event: e.Type, Why: "a session begins once, with a state"}
	}
	next := e.Initial.clone()
	next.SchemaVersion, next.Revision, next.UpdatedAt = SchemaVersion, e.Rev, e.Time
	if next.CurrentState == "" {
		next.CurrentState, next.Step = Init, StepBranch
	}
	if next.FinalReview.Status == "" {
		next.FinalReview.Status = "pending"
	}
	next.fill()
	return next, nil
}
