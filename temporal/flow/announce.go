package flow

import (
	"cmp"
	"fmt"

	"autopilot/autopilot/machine"
)

// announce is the event of a step that only says what is about to happen, or follows from the state; false: somebody has to do the
// step. It is in the history before its effect begins.
func announce(s machine.State, step machine.Step, effect *machine.Effect) (machine.Event, bool) {
	switch step.Name {
	case machine.StepAsk:
		return machine.Event{Type: machine.Drained}, true
	case machine.StepPick:
		return picked(s, step)
	case machine.StepCommit, machine.StepPlanCommit, machine.StepCheckpointCommit, machine.StepRecoveryCommit, machine.StepHumanCommit:
		if effect == nil {
			return machine.Event{Type: machine.EffectIntended, Effect: &machine.Effect{Key: machine.Key(s.SessionID, s.Revision+1), Kind: "commit", Parent: tip(s)}}, true
		}
		return machine.Event{}, false
	}
	if is, flying := step.Dispatching(); is && !flying {
		d := machine.Dispatch{ID: fmt.Sprintf("%s-d%d", s.SessionID, s.Revision+1), Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt}
		if step.Name == machine.StepDispatch || step.Name == machine.StepDiagnose {
			d.Task = step.Task
		}
		return machine.Event{Type: machine.Dispatched, Dispatch: &d}, true
	}
	return machine.Event{}, false
}

// picked is the event of picking a task. To bring the work of a lane is for somebody to do.
func picked(s machine.State, step machine.Step) (machine.Event, bool) {
	switch {
	case step.Bring:
		return machine.Event{}, false
	case step.Done:
		return machine.Event{Type: machine.TasksFinished}, true
	case step.Stuck:
		return machine.Event{Type: machine.TasksExhausted}, true
	}
	return machine.Event{Type: machine.TaskStarted, Task: step.Task, Base: tip(s)}, true
}

// tip is the last commit of the run's branch: nobody else writes it.
func tip(s machine.State) string { return cmp.Or(s.Committed.SHA, s.StartingCommit) }

// act is a step as an activity gets it.
func act(s machine.State, step machine.Step) Act {
	a := Act{Session: s.SessionID, Revision: s.Revision, Step: step}
	for _, in := range s.InFlight {
		if in.Dispatch != nil {
			a.Dispatch = in.Dispatch.ID
		}
		if in.Effect != nil {
			a.Effect = in.Effect
		}
	}
	return a
}

// laneAct is a step of a task's lane.
func laneAct(s machine.State, t machine.Task) Act {
	a := Act{Session: s.SessionID, Revision: s.Revision, Step: machine.InLane(s, t)}
	if t.Lane.Flight != nil {
		a.Dispatch = t.Lane.Flight.ID
	}
	return a
}
