package flow

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// stopsFirst has a person stop the session while its first act waits for a worker, which never takes it.
func stopsFirst(k *worker) {
	var first sync.Once
	k.told = func(_ string, e machine.EventType) {
		if e == "" { // no worker took it yet
			first.Do(func() {
				k.env.RegisterDelayedCallback(func() { k.env.SignalWorkflow(StopSignal, false) }, 0)
				select {}
			})
		}
	}
}

// TestAStopBeginsNothing: an act that nobody took is called off, so that no worker that comes later begins an agent.
func TestAStopBeginsNothing(t *testing.T) {
	k, in := wave(t)
	stopsFirst(k)
	if r := result(t, k, in); r.Stopped != "a person stopped it" || r.Revision != 1 {
		t.Errorf("it ends with %+v", r)
	}
	w := &session{stopping: "a person stopped it", acts: map[string]*attempt{"": {act: "1"}, "task-001": {act: "2", number: 1}}}
	if err := w.checkTake(Take{Act: "1", Attempt: 1}); err == nil {
		t.Error("a worker that was about to take it begins it")
	}
	if err := w.checkTake(Take{Act: "2", Task: "task-001", Attempt: 2}); err != nil {
		t.Errorf("nobody goes on with an act that was begun: %v", err)
	}
}

// TestAStopAtOnceBringsHomeWhatTheLastRunHad, though nothing happened in this one.
func TestAStopAtOnceBringsHomeWhatTheLastRunHad(t *testing.T) {
	k, in := wave(t)
	on, err := sessions.Create(k.dir, machine.Event{Type: machine.Created, Initial: in.First}, sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	k.hub, in = on.State(), Input{State: on.State(), Lost: map[string]string{"": "half"}}
	if err := on.Close(); err != nil {
		t.Fatal(err)
	}
	works := map[string]string{}
	k.keeping = func(keep Keep) { works = keep.Works }
	stopsFirst(k)
	if r := result(t, k, in); r.Stopped == "" || works[""] != "half" {
		t.Errorf("it ends with %+v, and the hub has the working trees %v", r, works)
	}
}

// TestAStopBringsHomeWhatALostWorkerSaved: where the session continues, nobody knows of the heartbeat that names it.
func TestAStopBringsHomeWhatALostWorkerSaved(t *testing.T) {
	k, in := wave(t)
	works := map[string]string{}
	k.keeping = func(keep Keep) { works = keep.Works }
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Task == "" {
			return nil, nil
		}
		k.env.RegisterDelayedCallback(func() { k.env.SignalWorkflow(StopSignal, false) }, 0)
		return nil, temporal.NewApplicationErrorWithOptions("lost", "", temporal.ApplicationErrorOptions{NonRetryable: true, Details: []any{Left{Work: "half of " + a.Task}}})
	}
	if r := result(t, k, in); r.Stopped == "" || works["task-001"] != "half of task-001" {
		t.Errorf("it ends with %+v, and the hub has the working trees %v", r, works)
	}
}

// TestACalledOffActTellsWhatIsLeft, if it got to look: of one that nobody had, the server says so with a text.
func TestACalledOffActTellsWhatIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		details any
		want    string
	}{"a worker had it": {Left{Work: "half", Saves: 2}, "half"}, "before a newer tree": {Left{Work: "half", Saves: 1}, ""}, "nobody had it": {"ACTIVITY_ID_NOT_STARTED", ""}} {
		w := &session{lost: map[string]string{}, acts: map[string]*attempt{"task-001": {saves: 2}}}
		sent := temporal.GetDefaultFailureConverter().ErrorToFailure(temporal.NewCanceledError(c.details))
		w.leave("task-001", nil, temporal.GetDefaultFailureConverter().FailureToError(sent))
		if got := w.lost["task-001"]; got != c.want {
			t.Errorf("%s: it goes on with %q, not %q", name, got, c.want)
		}
	}
}
