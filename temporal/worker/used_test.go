package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"autopilot/autopilot/machine"
	"autopilot/temporal/flow"
)

// TestWhatCallsCostIsRecordedRarely, also by agents that call a model at every moment of the 24 hours that a step may take: all lanes
// together leave a run of the workflow enough of its 2,000 updates.
func TestWhatCallsCostIsRecordedRarely(t *testing.T) {
	for _, lanes := range []int{1, 8, 12, 100} {
		records := 0
		for age := time.Duration(0); age < 24*time.Hour; age += time.Second {
			began := age
			for age-began < together(age, lanes) {
				age += time.Second
			}
			records++
		}
		if all := records * lanes; records > 144 || all > 8*144 {
			t.Errorf("%d lanes record %d times each", lanes, records)
		}
	}
}

// TestCallsOfAModelAreRecordedTogether: an agent that works for a day does not use up the updates of a run.
func TestCallsOfAModelAreRecordedTogether(t *testing.T) {
	d, s, _, _ := newDesk(t, machine.InFlight{Dispatch: &machine.Dispatch{ID: "d1"}})
	now, recorded, tokens := time.Now(), 0, 0
	d.began, d.worker.Host.Now = now, func() time.Time { return now }
	s.takes = func(o client.UpdateWorkflowOptions) error {
		if e := o.Args[0].(flow.Record).Event; e.Type == machine.Used {
			recorded, tokens = recorded+1, tokens+e.Usage.InputTokens
		}
		return nil
	}
	const calls = 24 * 60 * 6
	for i := range calls {
		now = now.Add(10 * time.Second)
		if after, err := d.Apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 1}}); err != nil || after.Usage.InputTokens != i+1 {
			t.Fatalf("after %d calls, it knows of %d: %v", i+1, after.Usage.InputTokens, err)
		}
	}
	if err := d.settle(); err != nil || tokens != calls || recorded > 150 {
		t.Errorf("%d calls are recorded as %d in %d updates: %v", calls, tokens, recorded, err)
	}
}

// TestWhatCallsCostIsRecordedWhileTheHubGetsTheWork: that can take minutes, and a budget may be used up meanwhile.
func TestWhatCallsCostIsRecordedWhileTheHubGetsTheWork(t *testing.T) {
	d, s, _, _ := newDesk(t, machine.InFlight{Dispatch: &machine.Dispatch{ID: "d1"}})
	s.takes = func(client.UpdateWorkflowOptions) error { return nil }
	d.owed.Store(&owed{machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 5}}, time.Now()})
	d.mu.Lock() // the hub gets something
	defer d.mu.Unlock()
	recorded := make(chan error, 1)
	go func() { recorded <- d.settle() }()
	select {
	case err := <-recorded:
		if err != nil || d.State().Usage.InputTokens != 5 {
			t.Errorf("it knows of %d tokens: %v", d.State().Usage.InputTokens, err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for the hub")
	}
}

// TestWhatACallCostIsRecordedWhenTheServerIsBack, also where that takes longer than an event is waited for: the act is over, and nobody else
// knows of it.
func TestWhatACallCostIsRecordedWhenTheServerIsBack(t *testing.T) {
	for name, c := range map[string]struct {
		away    time.Duration
		stopped bool
		want    int
	}{"at once": {want: 5}, "after half an hour": {away: 30 * time.Minute, want: 5}, "never": {away: 24 * time.Hour}, "the worker stops": {away: 30 * time.Minute, stopped: true}, "the worker stopped before": {stopped: true, want: 5}} {
		d, s, _, _ := newDesk(t, machine.InFlight{Dispatch: &machine.Dispatch{ID: "d1"}})
		d.owed.Store(&owed{machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: 5}}, time.Now()})
		synctest.Test(t, func(t *testing.T) {
			began, ids := time.Now(), map[string]bool{}
			stopping, stop := context.WithCancel(t.Context())
			defer stop()
			d.worker.Stopping, d.worker.Host.Sleep = stopping, func(ctx context.Context, long time.Duration) error {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(long):
					return nil
				}
			}
			if c.stopped && c.away == 0 {
				stop()
			} else if c.stopped {
				time.AfterFunc(time.Minute, stop)
			}
			s.takes = func(o client.UpdateWorkflowOptions) error {
				if ids[o.UpdateID] = true; time.Since(began) < c.away {
					return serviceerror.NewUnavailable("away")
				}
				return nil
			}
			err := d.pay()
			if got := d.session.State().Usage.InputTokens; got != c.want || (err == nil) != (c.want > 0) || len(ids) != 1 {
				t.Errorf("%s: after %s, %d tokens are recorded, sent as %v: %v", name, time.Since(began), got, ids, err)
			}
		})
	}
}

// TestWhatALostWorkerOwedIsCountedOnce, by the next attempt: its heartbeat told it.
func TestWhatALostWorkerOwedIsCountedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		counted, owes int
		want          int
	}{
		"nothing was recorded since":      {counted: 2, owes: 7, want: 7},
		"it was recorded since":           {counted: 1, owes: 7, want: 0},
		"nothing was owed":                {counted: 2, want: 0},
		"a heartbeat of an older version": {want: 0},
	} {
		d, s, _, _ := newDesk(t)
		var beat Beat
		if beat.Counted = c.counted; c.owes > 0 {
			beat.Owed = &machine.Event{Type: machine.Used, Usage: &machine.Usage{InputTokens: c.owes}}
		}
		d.taken.Counted = 2
		d.inherit(beat)
		got := 0
		s.takes = func(o client.UpdateWorkflowOptions) error {
			if e := o.Args[0].(flow.Record).Event; e.Type == machine.Used {
				got += e.Usage.InputTokens
			}
			return nil
		}
		if _, err := d.Apply(machine.Event{Type: machine.RunStarted, Edition: machine.Edition}); err != nil || got != c.want || d.owed.Load() != nil {
			t.Errorf("%s: %d tokens are recorded: %v", name, got, err)
		}
		if now := d.counted.Load(); now != int64(2+min(1, c.want)) {
			t.Errorf("%s: it was recorded %d times", name, now)
		}
	}
}
