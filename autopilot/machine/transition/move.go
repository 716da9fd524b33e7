package transition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
)

// move is one application of an event: the new state in the making, and where it came from.
type move struct {
	s    *machine.State
	e    machine.Event
	took machine.Edge // the edge taken, if any

	before machine.State
	lane   *machine.Task // in whose lane the event happened; nil is the run's own working tree
}

// What an event does is said by values around its move: one for each state, and one for each thing that several states
// need. None reaches more of another than it names.
type (
	starting       struct{ *move } // INIT, and ASSESS, where each phase begins
	planning       struct{ *move } // PLAN, and what a human does about plans
	approving      struct{ *move } // APPROVE_PLAN
	executing      struct{ *move } // EXECUTE, around the single tasks
	verifying      struct{ *move } // VERIFY
	reviewing      struct{ *move } // REVIEW
	completing     struct{ *move } // PHASE_COMPLETE
	finalReviewing struct{ *move } // FINAL_REVIEW, with its rounds of fixes
	closing        struct{ *move } // DONE, and the way back to work where the spec gained phases

	tasking     struct{ *move } // the steps of one task, in EXECUTE, in lanes and in the fix rounds of FINAL_REVIEW
	laning      struct{ *move } // what only tasks in lanes meet
	dispatching struct{ *move } // the begin of a dispatch, and the end of one that belongs to no task
	committing  struct{ *move } // commits that belong to no task
	asking      struct{ *move } // questions that come from no step
	answering   struct{ *move } // what an answer stands for
	scoping     struct{ *move } // which phases there are, and in which order
	undoing     struct{ *move } // the way back to where a phase began
	bookkeeping struct{ *move } // what is only recorded
	accounts    struct{ *move } // what the event cost, and whom
	registering struct{ *move } // what it found, and what it shows of earlier findings
)

func (m *move) illegal(why string) error {
	return &machine.IllegalEventError{State: m.s.CurrentState, Step: m.s.Step, Event: m.e.Type, Why: why}
}

// quiet refuses the event while something was begun that has no result yet.
func (m *move) quiet() error {
	if len(m.s.InFlight) > 0 || m.s.LanesBusy() {
		return m.illegal("a dispatch or a commit is in flight, and what became of it comes first")
	}
	return nil
}

// edge takes an edge of the state table. One event takes at most one.
func (m *move) edge(e machine.Edge) error {
	to, ok := machine.Edges[m.s.CurrentState][e]
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

// ask opens a gate, with the options that the table has for its kind; a checkpoint's are its own. Where one is open already,
// that one waits in Suspended.
func (m *move) ask(kind machine.GateKind, question string, context ...string) *machine.Gate {
	options := machine.GateOptions[kind]
	if kind == machine.GateBlocked || kind == machine.GateNoOutput {
		options = machine.BlockedOptions(m.s.CurrentState)
	}
	if m.s.Gate != nil {
		m.s.Suspended = append(m.s.Suspended, *m.s.Gate)
	}
	m.s.Gate = &machine.Gate{
		ID: gateID(m.e.Rev), Kind: kind, State: m.s.CurrentState, Phase: m.s.CurrentPhase,
		Question: question, Options: slices.Clone(options), Context: context, AskedAt: m.e.Time, Task: m.s.CurrentTask,
	}
	if m.lane != nil {
		m.s.Gate.Task = m.lane.ID
	}
	return m.s.Gate
}

// refuse takes an option out of a question, and says why.
func refuse(g *machine.Gate, name, why string) {
	g.Options = slices.DeleteFunc(g.Options, func(o machine.Option) bool { return o.Name == name })
	g.Refused = []machine.Refusal{{Option: name, Why: why}}
}

func gateID(rev int64) string { return "g" + strconv.FormatInt(rev, 10) }

// decide records a decision of the current phase.
func (m *move) decide(decision, reason, by string) *machine.Decision {
	m.s.Decisions = append(m.s.Decisions, machine.Decision{
		Phase: m.s.CurrentPhase, State: m.s.CurrentState, Decision: decision, Reason: reason, By: by, Timestamp: m.e.Time,
	})
	return &m.s.Decisions[len(m.s.Decisions)-1]
}

// at is the step that the event is about: the lane's, or the run's.
func (m *move) at() *machine.StepName {
	if m.lane != nil {
		return &m.lane.Lane.Step
	}
	return &m.s.Step
}

// current is the task that the event is about.
func (m *move) current() *machine.Task {
	if m.lane != nil {
		return m.lane
	}
	return machine.FindTask(m.s.Tasks, m.s.CurrentTask)
}

// dropLanes forgets the lanes when EXECUTE is left before its tasks are done; what was done in them is kept under refs.
func dropLanes(s *machine.State) {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Lane != nil {
			t.Lane, t.Base = nil, ""
			s.Suspended = slices.DeleteFunc(s.Suspended, func(g machine.Gate) bool { return g.Task == t.ID })
		}
	}
}

func phase(s *machine.State) *machine.Phase { return &s.Phases[s.CurrentPhase] }

// union adds to a list what it does not hold yet.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// line is a text as the only line of several, or none where it is blank.
func line(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []string{text}
}
