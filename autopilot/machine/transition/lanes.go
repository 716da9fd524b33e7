package transition

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// laneRaised holds the lane until a human answers. What several lanes meet is asked about once.
func (m laning) laneRaised(t *machine.Task) error {
	t.Lane.Held = true
	if slices.ContainsFunc(m.s.Suspended, func(g machine.Gate) bool {
		return g.Kind == m.e.Kind && (g.Kind == machine.GatePause || g.Question == m.e.Detail)
	}) {
		return nil
	}
	return asking(m).gateRaised()
}

// laneOf finds the task in whose lane an event happened; nil is the run's own working tree.
func laneOf(s *machine.State, e machine.Event) *machine.Task {
	switch {
	case e.Type == machine.TaskStarted && e.Lane != nil:
		return machine.FindTask(s.Tasks, e.Task)
	case e.Type == machine.DispatchEnded && e.Ended != nil:
		i := slices.IndexFunc(s.Tasks, func(t machine.Task) bool {
			return t.Lane != nil && t.Lane.Flight != nil && t.Lane.Flight.ID == e.Ended.ID
		})
		if i >= 0 {
			return &s.Tasks[i]
		}
		return nil
	case e.Type == machine.Dispatched && e.Dispatch != nil:
		return inLane(machine.FindTask(s.Tasks, e.Dispatch.Task))
	case slices.Contains([]machine.EventType{machine.Validated, machine.RolledBack, machine.TaskBrought, machine.GateRaised}, e.Type):
		return inLane(machine.FindTask(s.Tasks, e.Task))
	}
	return nil
}

func inLane(t *machine.Task) *machine.Task {
	if t == nil || t.Lane == nil {
		return nil
	}
	return t
}

// inLane does what an event does in the lane of a task, and holds the outcome against the table of lanes.
func (m laning) inLane(t *machine.Task) error {
	if m.s.Gate != nil || m.s.CurrentState != machine.Execute {
		return m.illegal("no lane is at work now")
	}
	if t.Lane == nil {
		t.Lane = &machine.Lane{Dir: m.e.Lane.Dir, Branch: m.e.Lane.Branch, Base: m.e.Base, Step: machine.StepPick}
	}
	row, ok := machine.Lanes[t.Lane.Step][m.e.Type]
	if !ok {
		return m.illegal(fmt.Sprintf("the lane of %s is at %s", t.ID, t.Lane.Step))
	}
	m.lane = t
	m.s.ByProducts = union(m.s.ByProducts, m.e.ByProducts)
	var err error
	switch m.e.Type {
	case machine.TaskStarted:
		if !slices.Contains(machine.Startable(m.before), t.ID) {
			return m.illegal("task " + t.ID + " may not be started beside the others")
		}
		tasking(m).begin(t)
	case machine.Dispatched:
		err = dispatching(m).dispatched(row[0])
	case machine.DispatchEnded:
		err = tasking(m).inTasks()
	case machine.Validated:
		err = tasking(m).validated()
	case machine.RolledBack:
		if t.Lane.Step == machine.StepRollback {
			t.Lane.Step = machine.StepPick
		} else { // somebody removed the tree
			err = tasking(m).laneLost(t)
		}
	case machine.TaskBrought:
		err = m.integrated(t)
	case machine.GateRaised:
		err = m.laneRaised(t)
	}
	switch {
	case err != nil:
		return err
	case t.Lane == nil && slices.Contains(row, machine.Leave):
		return nil
	case t.Lane != nil && t.Status == machine.TaskFailed && t.Lane.Step == machine.StepPick: // what it left is brought, as it is
		t.Lane.Step = machine.StepCommit
	}
	if t.Lane == nil || !slices.Contains(row, t.Lane.Step) {
		return m.illegal("it led to a step that the table of lanes does not have")
	}
	return nil
}

// integrated takes the work of a lane into the run's working tree, where it is validated again. Where others committed to
// the same files meanwhile nothing is merged: the task runs again on top of them, and no attempt is spent. What a task
// that failed for good left behind waits for the recovery commit.
func (m laning) integrated(t *machine.Task) error {
	if m.s.Step != machine.StepPick {
		return m.illegal("another task is at work in the run's working tree")
	}
	failed := t.Status == machine.TaskFailed
	t.Lane = nil
	keepFindings(t, m.e.Findings)
	switch {
	case len(m.e.Conflicts) > 0 && !failed:
		t.Status, t.Base, t.Alone = machine.TaskPending, "", true
		t.Remark = fmt.Sprintf("Other tasks changed %s meanwhile, so that your earlier work on this task could not be brought in. Do it again on top of theirs.%s",
			strings.Join(m.e.Conflicts, ", "), kept(m.e.Detail))
	case len(m.e.Conflicts) > 0 && len(t.Attempts) > 0: // people look for it where they read why it failed
		last := &t.Attempts[len(t.Attempts)-1]
		last.Error += fmt.Sprintf("\nWhat it left met changes of others in %s, and was left out.%s", strings.Join(m.e.Conflicts, ", "), kept(m.e.Detail))
	case !failed:
		t.Base, t.Leftover = m.e.Base, m.e.Leftover
		m.s.CurrentTask, m.s.Step = t.ID, machine.StepValidate
	}
	return nil
}

func kept(ref string) string {
	if ref == "" {
		return ""
	}
	return " It is kept under " + ref + "."
}
