package transition

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// apply applies an event as it comes back from the journal.
func apply(t failer, s machine.State, e machine.Event) (machine.State, error) {
	e.Rev, e.Time = s.Revision+1, day
	was := encode(t, s)
	next, err := Apply(s, decode[machine.Event](t, encode(t, e)))
	if now := encode(t, s); now != was {
		t.Fatalf("%s changed the state it was given:\n%s\n%s", e.Type, was, now)
	}
	return decode[machine.State](t, encode(t, next)), err
}

// TestUndoneAndTakenBackASessionIsWhatItWas: wherever it stands, and wherever it goes back to.
func TestUndoneAndTakenBackASessionIsWhatItWas(t *testing.T) {
	undo := func(t failer, s, to machine.State, back bool) machine.State {
		s, err := apply(t, s, machine.Event{Type: machine.UndoIntended, Undo: &machine.Undo{Phase: "1", From: "b", To: "a", Ref: "r", Back: back, State: &to}})
		if err != nil {
			t.Fatalf("the undo is refused: %v", err)
		}
		var illegal *machine.IllegalEventError
		for _, e := range []machine.EventType{machine.RunStarted, machine.Answered, machine.UndoIntended, machine.Used} {
			if _, err := apply(t, s, machine.Event{Type: e}); !errors.As(err, &illegal) {
				t.Fatalf("%s in the middle of an undo gave %v", e, err)
			}
		}
		s, err = apply(t, s, machine.Event{Type: machine.Undone})
		if err != nil {
			t.Fatalf("the undo isn't done: %v", err)
		}
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, newReached(), someSession(t))
		past := []machine.State{w.s}
		for range rapid.IntRange(1, 60).Draw(t, "length") {
			if w.s.Gate != nil {
				_ = w.report(someAnswer(t, w))
			} else if machine.Next(w.s).Name != machine.StepEnd {
				_ = w.report(storm.some(t, w))
			}
			if w.s.CurrentState == machine.Assess {
				past = append(past, w.s)
			}
		}
		former := decode[machine.State](t, encode(t, w.s))
		if len(former.InFlight) > 0 || former.LanesBusy() {
			if _, err := apply(t, former, machine.Event{Type: machine.UndoIntended, Undo: &machine.Undo{Phase: "1", From: "b", To: "a", Ref: "r", State: &past[0]}}); err == nil {
				t.Fatalf("it is undone while something is in flight")
			}
			return
		}
		to := rapid.SampledFrom(past).Draw(t, "to")
		undone := undo(t, former, to, false)
		if undone.CurrentState != to.CurrentState || undone.Step != to.Step || undone.Usage != former.Usage || undone.Elapsed != former.Elapsed || len(undone.Decisions) != len(to.Decisions)+1 {
			t.Fatalf("it is at %s %s, used %+v", undone.CurrentState, undone.Step, undone.Usage)
		}
		if undone.Undone.Rev != former.Revision || undone.Undone.State != nil || undone.Undoing != nil {
			t.Fatalf("it can't be taken back: %+v", undone.Undone)
		}
		back := undo(t, undone, former, true)
		back.Revision, back.UpdatedAt = former.Revision, former.UpdatedAt
		if diff := cmp.Diff(former, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("taken back it is otherwise (-before +after):\n%s", diff)
		}
	})
}

func TestUndoThatDoesNotSayWhereToIsRefused(t *testing.T) {
	s := fresh(machine.Fast, machine.Low)
	other := s
	other.SessionID = "another"
	for name, u := range map[string]*machine.Undo{
		"nothing":          nil,
		"no state":         {From: "b", To: "a", Ref: "r"},
		"no ref":           {From: "b", To: "a", State: &s},
		"of another":       {From: "b", To: "a", Ref: "r", State: &other},
		"without a commit": {From: "b", Ref: "r", State: &s},
	} {
		if _, err := apply(t, s, machine.Event{Type: machine.UndoIntended, Undo: u}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := apply(t, s, machine.Event{Type: machine.Undone}); err == nil {
		t.Error("an undo is done that was never begun")
	}
	s.Aside = &machine.Aside{}
	if _, err := apply(t, s, machine.Event{Type: machine.UndoIntended, Undo: &machine.Undo{From: "b", To: "a", Ref: "r", State: &s}}); err == nil {
		t.Error("it is undone beside a planner")
	}
}
