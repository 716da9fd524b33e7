package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Lane is where a task of a wave is worked on: a working tree and a branch of its own, beside the run's. What was done
// there comes into the run's working tree once it passed, is validated again, and committed there.
type Lane struct {
	Dir    string    `json:"dir"`    // relative to the repository, slashes
	Branch string    `json:"branch"` // stays at Base: nothing is committed in a lane
	Base   string    `json:"base"`   // the commit that it was made of
	Step   StepName  `json:"step"`
	Flight *Dispatch `json:"flight,omitempty"` // the dispatch that was begun and has no result yet
	Held   bool      `json:"held,omitempty"`   // it waits for a human's answer
}

// Lanes is the table inside a lane: at each step, by event, the steps that the event may lead to; leave ends the lane. At
// pick it waits to be started, at commit to be brought.
var Lanes = map[StepName]map[EventType][]StepName{
	StepPick:      {TaskStarted: {StepDispatch, StepDiagnose}},
	StepDiagnose:  {Dispatched: {StepDiagnosis}, GateRaised: {StepDiagnose}},
	StepDiagnosis: {DispatchEnded: {StepDiagnose, StepDispatch}, GateRaised: {StepDiagnosis}},
	StepDispatch:  {Dispatched: {StepReply}, GateRaised: {StepDispatch}},
	StepReply:     {DispatchEnded: {StepDispatch, StepValidate, StepPick, StepRollback, StepCommit}, GateRaised: {StepReply}},
	StepValidate:  {Validated: {StepCommit, StepPick, StepRollback, StepValidate}, RolledBack: {StepPick, StepCommit}, GateRaised: {StepValidate}},
	StepRollback:  {RolledBack: {StepPick, StepCommit}, GateRaised: {StepRollback}},
	StepCommit:    {TaskBrought: {leave}, RolledBack: {StepPick, StepCommit}},
}

// Busy says whether something goes on in the lane, or has to go on after a stop.
func (l *Lane) Busy() bool { return l != nil && !l.Held && l.Step != StepPick && l.Step != StepCommit }

// LanesBusy says whether a lane of the wave is at work.
func (s State) LanesBusy() bool { return s.busyLanes() > 0 }

func (s State) lanesOpen() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Lane != nil })
}

// at is the step that the event is about: the lane's, or the run's.
func (m *move) at() *StepName {
	if m.lane != nil {
		return &m.lane.Lane.Step
	}
	return &m.s.Step
}

// current is the task that the event is about.
func (m *move) current() *Task {
	if m.lane != nil {
		return m.lane
	}
	return find(m.s.Tasks, m.s.CurrentTask)
}

// dropLanes forgets the lanes when EXECUTE is left before its tasks are done; what was done in them is kept under refs.
func dropLanes(s *State) {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Lane != nil {
			t.Lane, t.Base = nil, ""
			s.Suspended = slices.DeleteFunc(s.Suspended, func(g Gate) bool { return g.Task == t.ID })
		}
	}
}

// laning are the steps of one task in its lane.
type laning struct{ *move }

// laneRaised holds the lane until a human answers. What several lanes meet is asked about once.
func (m laning) laneRaised(t *Task) error {
	t.Lane.Held = true
	if slices.ContainsFunc(m.s.Suspended, func(g Gate) bool {
		return g.Kind == m.e.Kind && (g.Kind == GatePause || g.Question == m.e.Detail)
	}) {
		return nil
	}
	return asking(m).gateRaised()
}

// release lets the lanes go on that no question is left about.
func release(s *State) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Lane != nil && !slices.ContainsFunc(s.Suspended, func(g Gate) bool { return g.Task == t.ID }) {
			t.Lane.Held = false
		}
	}
}

// laneOf finds the task in whose lane an event happened; nil is the run's own working tree.
func laneOf(s *State, e Event) *Task {
	switch {
	case e.Type == TaskStarted && e.Lane != nil:
		return find(s.Tasks, e.Task)
	case e.Type == DispatchEnded && e.Ended != nil:
		i := slices.IndexFunc(s.Tasks, func(t Task) bool {
			return t.Lane != nil && t.Lane.Flight != nil && t.Lane.Flight.ID == e.Ended.ID
		})
		if i >= 0 {
			return &s.Tasks[i]
		}
		return nil
	case e.Type == Dispatched && e.Dispatch != nil:
		return inLane(find(s.Tasks, e.Dispatch.Task))
	case slices.Contains([]EventType{Validated, RolledBack, TaskBrought, GateRaised}, e.Type):
		return inLane(find(s.Tasks, e.Task))
	}
	return nil
}

func inLane(t *Task) *Task {
	if t == nil || t.Lane == nil {
		return nil
	}
	return t
}

// inLane does what an event does in the lane of a task, and holds the outcome against the table of lanes.
func (m laning) inLane(t *Task) error {
	if m.s.Gate != nil || m.s.CurrentState != Execute {
		return m.illegal("no lane is at work now")
	}
	if t.Lane == nil {
		t.Lane = &Lane{Dir: m.e.Lane.Dir, Branch: m.e.Lane.Branch, Base: m.e.Base, Step: StepPick}
	}
	row, ok := Lanes[t.Lane.Step][m.e.Type]
	if !ok {
		return m.illegal(fmt.Sprintf("the lane of %s is at %s", t.ID, t.Lane.Step))
	}
	m.lane = t
	m.s.ByProducts = union(m.s.ByProducts, m.e.ByProducts)
	var err error
	switch m.e.Type {
	case TaskStarted:
		err = m.laneStarted(t)
	case Dispatched:
		err = dispatching(m).dispatched(row[0])
	case DispatchEnded:
		err = tasking(m).inTasks()
	case Validated:
		err = tasking(m).validated()
	case RolledBack:
		err = m.laneRolledBack(t)
	case TaskBrought:
		err = m.integrated(t)
	case GateRaised:
		err = m.laneRaised(t)
	}
	switch {
	case err != nil:
		return err
	case t.Lane == nil && slices.Contains(row, leave):
		return nil
	case t.Lane != nil && t.Status == TaskFailed && t.Lane.Step == StepPick: // what it left is brought, as it is
		t.Lane.Step = StepCommit
	}
	if t.Lane == nil || !slices.Contains(row, t.Lane.Step) {
		return m.illegal("it led to a step that the table of lanes does not have")
	}
	return nil
}

func (m laning) laneStarted(t *Task) error {
	if !slices.Contains(Startable(m.before), t.ID) {
		return m.illegal("task " + t.ID + " may not be started beside the others")
	}
	tasking(m).begin(t)
	return nil
}

// laneRolledBack is a tree that is back at its base: because a failed attempt is to be, or because somebody removed it.
func (m laning) laneRolledBack(t *Task) error {
	if t.Lane.Step != StepRollback {
		return tasking(m).laneLost(t)
	}
	t.Lane.Step = StepPick
	return nil
}

// laneLost is a working tree that somebody removed, with what had been done there: the attempt goes on in a new one. The
// third time spends it.
func (m tasking) laneLost(t *Task) error {
	if t.Status != TaskRunning {
		return m.illegal("nothing that passed was lost")
	}
	t.Interruptions, t.Lost = t.Interruptions+1, t.Lost+1
	t.Remark = "The working tree of this task was removed, and with it what had been done there. You are in a new one: do the task from its beginning, and leave the folder itself alone."
	if t.Lost >= maxInterruptions {
		return m.attemptFailed("TASK_EXEC", "its working tree was removed three times", "")
	}
	t.Status, t.Lane.Step = TaskPending, StepPick
	return nil
}

// integrated takes the work of a lane into the run's working tree, where it is validated again. Where others committed to
// the same files meanwhile nothing is merged: the task runs again on top of them, and no attempt is spent. What a task
// that failed for good left behind waits for the recovery commit.
func (m laning) integrated(t *Task) error {
	if m.s.Step != StepPick {
		return m.illegal("another task is at work in the run's working tree")
	}
	failed := t.Status == TaskFailed
	t.Lane = nil
	t.keep(m.e.Findings)
	switch {
	case len(m.e.Conflicts) > 0 && !failed:
		t.Status, t.Base, t.Alone = TaskPending, "", true
		t.Remark = fmt.Sprintf("Other tasks changed %s meanwhile, so that your earlier work on this task could not be brought in. Do it again on top of theirs.%s",
			strings.Join(m.e.Conflicts, ", "), kept(m.e.Detail))
	case len(m.e.Conflicts) > 0 && len(t.Attempts) > 0: // people look for it where they read why it failed
		last := &t.Attempts[len(t.Attempts)-1]
		last.Error += fmt.Sprintf("\nWhat it left met changes of others in %s, and was left out.%s", strings.Join(m.e.Conflicts, ", "), kept(m.e.Detail))
	case !failed:
		t.Base, t.Leftover = m.e.Base, m.e.Leftover
		m.s.CurrentTask, m.s.Step = t.ID, StepValidate
	}
	return nil
}

func kept(ref string) string {
	if ref == "" {
		return ""
	}
	return " It is kept under " + ref + "."
}

// drained opens the question that waited until the lanes were quiet.
func (m asking) drained() error {
	if m.s.Gate != nil || len(m.s.Suspended) == 0 || m.s.LanesBusy() {
		return m.illegal("no question waits for the lanes")
	}
	resumeGate(m.s)
	m.s.Gate.ID, m.s.Gate.AskedAt = gateID(m.e.Rev), m.e.Time
	return nil
}
