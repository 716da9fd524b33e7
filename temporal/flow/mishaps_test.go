package flow

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/sdk/v1"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// later plays runs of a session until one would begin more than some events on, and gives what that begins with.
func later(t *testing.T, k *worker, in Input, events int64) Input {
	t.Helper()
	from := in.State.Revision
	for in.State.Revision <= from+events {
		in = following(t, once(t, k, in))
	}
	return in
}

// TestAServerFromABackupTakesWhatTheHubHas sets a workflow back to an earlier run, while the hub has the journal up to a later one.
func TestAServerFromABackupTakesWhatTheHubHas(t *testing.T) {
	for seed := range uint64(20) {
		s := script{seed: seed, tasks: 4, bad: 0.1}
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
		first := Input{First: s.first()}
		first.First.Phases = append(first.First.Phases[:1:1], machine.Phase{Number: "2", Name: "B", Complexity: machine.Low, Status: machine.PhasePending, SpecSHA256: "text1"})
		backup := later(t, k, first, 0)
		later(t, k, backup, 3)
		play(t, k, backup)
		var got, want machine.State
		value, err := k.env.QueryWorkflow(StateQuery)
		if err == nil {
			err = value.Get(&got)
		}
		hub, _, failed := sessions.Read(k.dir, sessions.Options{Now: time.Now})
		hub.StateCRC = "" // of the file
		if err := errors.Join(err, failed, as(hub, &want)); err != nil || want.CurrentState != machine.Done || !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: the workflow is at revision %d in %s, the hub at %d in %s: %v", seed, got.Revision, got.CurrentState, want.Revision, want.CurrentState, err)
		}
	}
}

// wave is a session with lanes, and what its first run begins with.
func wave(t *testing.T) (*worker, Input) {
	s := script{seed: 4, tasks: 6, parallel: 3}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	in := Input{First: s.first()}
	return k, in
}

// TestStopNowEndsTheStepsAtWork, whatever they end with.
func TestStopNowEndsTheStepsAtWork(t *testing.T) {
	for name, ends := range map[string]func(context.Context) error{"canceled": context.Cause, "failed": func(context.Context) error { return errors.New("the hub is away") }} {
		k, in := wave(t)
		k.instead = func(ctx context.Context, a Act) (*Played, error) {
			if a.Task == "" {
				return nil, nil
			}
			k.env.RegisterDelayedCallback(func() { k.env.SignalWorkflow(StopSignal, true) }, 0)
			<-ctx.Done()
			return nil, ends(ctx)
		}
		if r := result(t, k, in); r.Stopped != "a person stopped it" || r.State != machine.Execute {
			t.Errorf("%s: it ends with %+v", name, r)
		}
	}
}

// TestWhatNobodyMayDoStopsTheSessionAtAQuestion, too: there, nobody would see why an answer is not taken.
func TestWhatNobodyMayDoStopsTheSessionAtAQuestion(t *testing.T) {
	for seed := range uint64(20) {
		k := &worker{script: script{seed: seed, tasks: 2, bad: 0.6}, dir: filepath.Join(t.TempDir(), "workflow")}
		asked := false
		k.instead = func(_ context.Context, a Act) (*Played, error) {
			if a.Step != machine.StepWait {
				return nil, nil
			}
			asked = true
			return &Played{Stop: "nobody agreed to it"}, nil
		}
		if r := result(t, k, Input{First: k.script.first()}); asked {
			if r.Stopped != "nobody agreed to it" {
				t.Errorf("seed %d: it ends with %+v", seed, r)
			}
			return
		}
	}
	t.Error("no session asked anything")
}

// TestACancellationIsAStop, which loses nothing.
func TestACancellationIsAStop(t *testing.T) {
	k, in := wave(t)
	k.told = func(task string, e machine.EventType) {
		if e == machine.Dispatched && task != "" {
			k.env.RegisterDelayedCallback(k.env.CancelWorkflow, 0)
		}
	}
	if result := result(t, k, in); result.Stopped == "" || result.State != machine.Execute || result.Revision != k.hub.Revision {
		t.Errorf("it ended with %+v, and the hub has revision %d", result, k.hub.Revision)
	}
}

// TestAStopCountsWhileTheNextRunIsPrepared: that knows nothing of signals to this one.
func TestAStopCountsWhileTheNextRunIsPrepared(t *testing.T) {
	k, in := wave(t)
	k.keeping = func(Keep) {
		signaled := make(chan struct{})
		k.env.RegisterDelayedCallback(func() { k.env.SignalWorkflow(StopSignal, false); close(signaled) }, 0)
		<-signaled
	}
	if r := result(t, k, in); r.Stopped != "a person stopped it" || r.State == machine.Done {
		t.Errorf("it ends with %+v", r)
	}
}

// TestAnActThatRecordedNothingIsNoEarlierAttemptOfTheNext: both are about the same revision.
func TestAnActThatRecordedNothingIsNoEarlierAttemptOfTheNext(t *testing.T) {
	k, in := wave(t)
	attempts, ids := 0, map[string]bool{}
	k.instead = func(ctx context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepDispatch || a.Task != "task-001" || attempts > 3 {
			return nil, nil
		}
		ids[a.ID] = true
		if attempts++; attempts <= 2 {
			return nil, errors.New("the hub is away")
		}
		until := k.env.Now().Add(time.Hour)
		return &Played{Until: &until, Limit: "a limit"}, nil
	}
	play(t, k, in)
	if len(ids) < 2 {
		t.Errorf("all acts are %v", ids)
	}
}

// TestALaneThatEndsWithoutAnEventIsNoticed: the history got too long with the end of its step.
func TestALaneThatEndsWithoutAnEventIsNoticed(t *testing.T) {
	k, in := wave(t)
	k.script.tasks = 2
	var mu sync.Mutex
	late, ended := false, 0
	k.told = func(task string, e machine.EventType) {
		mu.Lock()
		defer mu.Unlock()
		if task == "" || e != machine.DispatchEnded || late {
			return
		}
		if ended++; ended == 2 {
			late = true
			k.env.RegisterDelayedCallback(func() { k.env.SetCurrentHistoryLength(longest + 1) }, 0)
		}
	}
	play(t, k, in)
	if !late {
		t.Error("no lane was at work")
	}
}

// result plays a session to the end of its workflow.
func result(t *testing.T, k *worker, in Input) (r Result) {
	t.Helper()
	play(t, k, in)
	if err := k.env.GetWorkflowResult(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestALimitIsWaitedOutAndShown: no worker is busy meanwhile, and the time does not count as running time.
func TestALimitIsWaitedOutAndShown(t *testing.T) {
	k, in := wave(t)
	details, limited := "", false
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepDispatch || limited {
			return nil, nil
		}
		limited = true
		until := k.env.Now().Add(5 * time.Hour)
		k.env.RegisterDelayedCallback(func() {
			value, err := k.env.QueryWorkflow("__temporal_workflow_metadata")
			var m sdk.WorkflowMetadata
			if err == nil {
				err = value.Get(&m)
			}
			details = fmt.Sprint(m.CurrentDetails, err)
		}, time.Hour)
		return &Played{Until: &until, Limit: "a quota until five"}, nil
	}
	play(t, k, in)
	if details != "waits: a quota until five<nil>" {
		t.Errorf("the details are %q", details)
	}
	if k.hub.Elapsed > time.Hour.Seconds() {
		t.Errorf("the session ran for %v s", k.hub.Elapsed)
	}
}

// TestALimitThatAllLanesWaitOutIsNoRunningTime: they go on at the same time, and each finds the others at work.
func TestALimitThatAllLanesWaitOutIsNoRunningTime(t *testing.T) {
	k, in := wave(t)
	var mu sync.Mutex
	var again sync.WaitGroup
	again.Add(3)
	acts := map[string]int{}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		mu.Lock()
		acts[a.Task]++
		n := acts[a.Task]
		mu.Unlock()
		switch {
		case a.Task == "" || a.Task > "task-003":
		case n == 1:
			until := k.env.Now().Add(5 * time.Hour)
			return &Played{Until: &until, Limit: "a quota until five"}, nil
		case n == 2:
			again.Done()
			again.Wait()
		}
		return nil, nil
	}
	play(t, k, in)
	if acts["task-003"] < 2 || k.hub.Elapsed > time.Hour.Seconds() {
		t.Errorf("the lanes had %v acts, and the session ran for %v s", acts, k.hub.Elapsed)
	}
}

// TestAStateThatIsTooLargeStopsTheSession before Temporal would end it: the hub has all of it.
func TestAStateThatIsTooLargeStopsTheSession(t *testing.T) {
	s := script{seed: 1, tasks: 1}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	in := Input{First: s.first()}
	noise := make([]byte, largest)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	in.First.Spec.Criteria = []string{base64.StdEncoding.EncodeToString(noise)}
	r := result(t, k, in)
	hub, _, err := sessions.Read(k.dir, sessions.Options{Now: time.Now})
	if err != nil || r.Revision != hub.Revision || !strings.Contains(r.Stopped, "its compressed state has 1.51 MB") {
		t.Errorf("it ends at revision %d because %q, and the hub is at %d: %v", r.Revision, r.Stopped, hub.Revision, err)
	}
}

// TestALaneThatWaitsForALimitHoldsNobodyUp: the history gets too long meanwhile, and the next run begins.
func TestALaneThatWaitsForALimitHoldsNobodyUp(t *testing.T) {
	k, in := wave(t)
	var mu sync.Mutex
	limited, late, began := "", false, time.Time{}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		mu.Lock()
		defer mu.Unlock()
		if a.Task == "" || limited != "" && limited != a.Task {
			return nil, nil
		}
		limited, began = a.Task, k.env.Now()
		until := began.Add(5 * time.Hour)
		return &Played{Until: &until, Limit: "a limit"}, nil
	}
	k.told = func(task string, e machine.EventType) {
		mu.Lock()
		defer mu.Unlock()
		if task != "" && e == machine.DispatchEnded && !late {
			late = true
			k.env.RegisterDelayedCallback(func() { k.env.SetCurrentHistoryLength(longest + 1) }, 0)
		}
	}
	for !late {
		in = following(t, once(t, k, in))
	}
	if waited := k.env.Now().Sub(began); waited > time.Hour {
		t.Errorf("the next run begins %v after the limit was met", waited)
	}
}
