package journal

import (
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

// desk is a session in memory.
type desk struct {
	state machine.State
	notes []Note
}

func (d *desk) State() machine.State { return d.state }

func (d *desk) Apply(e machine.Event) (machine.State, error) {
	e.Rev = d.state.Revision + 1
	next, err := transition.Apply(d.state, e)
	if err == nil {
		d.state = next
	}
	return next, err
}

func (d *desk) Report(n Note)               { d.notes = append(d.notes, n) }
func (d *desk) Project(machine.State) error { return nil }
func (d *desk) Progress(ProgressLine) error { return nil }

func TestALaneNamesItsTaskInWhatItTells(t *testing.T) {
	d := &desk{}
	j := New(d, d, d, nil, time.Now)
	j.For("task-002").Note("info", "ready")
	j.Note("info", "ready")
	if d.notes[0].Text != "task-002: ready" || d.notes[0].Fields["task"] != "task-002" || d.notes[1].Text != "ready" {
		t.Errorf("told %+v", d.notes)
	}
}

func TestWhatAnEventOfALaneTellsNamesItsTaskOnce(t *testing.T) {
	d := &desk{state: machine.State{
		SessionID: "s", CurrentState: machine.Execute, Step: machine.StepLanes, RigorLevel: machine.Fast, Revision: 1, SchemaVersion: machine.SchemaVersion,
		Phases: []machine.Phase{{Number: "1", Name: "Greet", Status: machine.PhaseInProgress}},
		Tasks:  []machine.Task{{ID: "task-002", Kind: machine.KindPlan, Status: machine.TaskRunning, Base: "c", Lane: &machine.Lane{Step: machine.StepDispatch}}},
	}}
	lane := New(d, d, d, nil, time.Now).For("task-002")
	begun := machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-002", Attempt: 1}}
	if err := lane.Apply(begun); err != nil {
		t.Fatal(err)
	}
	if len(d.notes) != 1 || d.notes[0].Text != "task-002: executor dispatched" {
		t.Errorf("told %+v", d.notes)
	}
}

func TestOfOneThingSomebodyIsWarnedOnce(t *testing.T) {
	j := New(&desk{}, nil, nil, nil, time.Now)
	if !j.WarnOnce("a") || j.For("task-001").WarnOnce("a") || !j.WarnOnce("b") {
		t.Error("a lane warned again, or nobody was warned")
	}
}
