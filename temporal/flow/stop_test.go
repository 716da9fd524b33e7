package flow

import (
	"context"
	"sync"
	"testing"

	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot/machine"
)

// TestAStopBeginsNothing: an act that nobody took is called off, so that no worker that comes later begins an agent.
func TestAStopBeginsNothing(t *testing.T) {
	k, in := wave(t)
	var first sync.Once
	k.told = func(_ string, e machine.EventType) {
		if e == "" { // no worker took it yet
			first.Do(func() {
				k.env.RegisterDelayedCallback(func() { k.env.SignalWorkflow(StopSignal, false) }, 0)
				select {}
			})
		}
	}
	if r := result(t, k, in); r.Stopped != "a person stopped it" || r.Revision != 1 {
		t.Errorf("it ends with %+v", r)
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
