package flow

import (
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// TestTheWorkflowGivesTheStateAndTheJournalOfOneMachine plays random sessions twice: as a workflow, and through the package sessions,
// at the times of the workflow. The files are the same, byte for byte, also where workers are lost.
func TestTheWorkflowGivesTheStateAndTheJournalOfOneMachine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := script{seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(1, 6).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(rt, "bad")}
		a := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow"), lasts: time.Minute, lost: losses(s.seed)}
		play(rt, a, Input{First: s.first()})
		one := filepath.Join(t.TempDir(), "machine")
		onOneMachine(rt, s, one, a.kept, s.next)
		same(rt, a, one)
	})
}

// losses has one worker of twenty be lost.
func losses(seed uint64) func() bool {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 1))
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(40) == 0 // it is asked twice
	}
}

// play runs a session as a workflow to its end, run after run, and answers what it asks.
func play(t rapid.TB, a *worker, in Input) {
	for range 500 {
		err := once(t, a, in)
		if err == nil {
			return
		}
		in = following(t, err)
	}
	t.Fatal("it comes to no end")
}

// following is what the next run begins with, by what a run ended with.
func following(t rapid.TB, err error) (in Input) {
	t.Helper()
	var next *workflow.ContinueAsNewError
	if !errors.As(err, &next) {
		t.Fatalf("the run ends with %v, and no other follows", err)
	}
	if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &in); err != nil {
		t.Fatal(err)
	}
	return in
}

// newEnv is an environment in which a busy machine is no deadlock.
func newEnv() *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	return suite.NewTestWorkflowEnvironment().SetWorkerOptions(sdk.Options{DeadlockDetectionTimeout: time.Minute})
}

// once is one run of the workflow.
func once(t rapid.TB, a *worker, in Input) error {
	env := newEnv()
	a.env = env
	env.RegisterActivityWithOptions(a.play, activity.RegisterOptions{Name: PlayName})
	env.RegisterActivityWithOptions(a.keep, activity.RegisterOptions{Name: KeepName})
	env.RegisterDelayedCallback(func() { reply(t, env, a.script) }, time.Hour)
	env.ExecuteWorkflow(Session, in)
	if !env.IsWorkflowCompleted() {
		t.Fatal("the run is not over")
	}
	return env.GetWorkflowError()
}

// reply answers the open question, after one that is refused.
func reply(t rapid.TB, env *testsuite.TestWorkflowEnvironment, s script) {
	var st machine.State
	value, err := env.QueryWorkflow(StateQuery)
	if err != nil || value.Get(&st) != nil || st.Gate == nil {
		return
	}
	env.UpdateWorkflow(AnswerUpdate, "wrong", &testsuite.TestUpdateCallback{
		OnReject: func(err error) {
			if app, is := errors.AsType[*temporal.ApplicationError](err); !is || app.Type() != AnswerErrorType {
				t.Fatalf("an answer to another question gives %v", err)
			}
		},
		OnAccept:   func() { t.Fatal("an answer to another question is accepted") },
		OnComplete: func(any, error) {},
	}, machine.Answer{Gate: "another", Option: "yes"})
	env.UpdateWorkflow(AnswerUpdate, "right", &testsuite.TestUpdateCallback{
		OnReject: func(err error) { t.Fatalf("it is refused: %v", err) }, OnAccept: func() {},
		OnComplete: func(_ any, err error) {
			if err != nil {
				t.Fatalf("it is not taken: %v", err)
			}
		},
	}, s.answer(st.Revision, *st.Gate))
}

// onOneMachine plays the same through the package sessions: next says what happens. The times are those of the workflow.
func onOneMachine(t rapid.TB, s script, dir string, times []machine.Event, next func(machine.State) machine.Event) {
	t.Helper()
	stamp := func(e machine.Event, rev int64) machine.Event {
		e.Time, e.Slept = times[rev-1].Time, times[rev-1].Slept
		return e
	}
	se, err := sessions.Create(dir, stamp(machine.Event{Type: machine.Created, Initial: s.first()}, 1), sessions.Options{Now: time.Now})
	for err == nil && machine.Next(se.State()).Name != machine.StepEnd {
		st := se.State()
		if len(times) <= int(st.Revision) {
			t.Fatalf("the workflow ended at revision %d, in %s", st.Revision, st.CurrentState)
		}
		_, err = se.Apply(stamp(next(st), st.Revision+1))
	}
	if err == nil {
		err = se.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// next is what happens next where one step is done after the other.
func (s script) next(st machine.State) machine.Event {
	if st.Gate != nil {
		return st.AnswerEvent(s.answer(st.Revision, *st.Gate))
	}
	return s.event(st, machine.Next(st), "")
}

// as gives a result the type that its reader wants, as a payload does.
func as(got, want any) error {
	data, err := json.Marshal(got)
	if err == nil {
		err = json.Unmarshal(data, want)
	}
	return err
}

// same compares the files of a session that the workflow played with those of one machine, and what the workflow says of it.
func same(t rapid.TB, k *worker, one string) {
	t.Helper()
	var got, want machine.State
	value, err := k.env.QueryWorkflow(StateQuery)
	st := k.hub
	st.StateCRC = "" // of the file
	if err = errors.Join(err, value.Get(&got), as(st, &want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("the workflow has the state\n%+v\nand its journal leads to\n%+v: %v", got, want, err)
	}
	sameFiles(t, k, one)
}

// sameFiles compares the files of a session that the workflow played with those of one machine.
func sameFiles(t rapid.TB, k *worker, one string) {
	t.Helper()
	for _, name := range []string{sessions.JournalName, sessions.SnapshotName} {
		if got, want := read(t, k.dir, name), read(t, one, name); got != want {
			t.Fatalf("%s of the workflow:\n%s\nof one machine:\n%s", name, got, want)
		}
	}
}

func read(t rapid.TB, dir, name string) string {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
