package flow

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"go.temporal.io/sdk/workflow"
	"pgregory.net/rapid"

	"autopilot/autopilot/machine"
)

// TestTheRunningTimeIsWhatWorkersSayTheyRan plays random sessions in which one act is at work at a time. Between the acts nobody works
// for up to an hour, and in the middle of some a person sends a note: neither changes the sum. What people think at questions is
// none of it, nor is the beginning of a run.
func TestTheRunningTimeIsWhatWorkersSayTheyRan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := script{seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(1, 3).Draw(rt, "tasks"), bad: rapid.SampledFrom([]float64{0, 0.2}).Draw(rt, "bad")}
		var want time.Duration
		var got machine.State
		env := newEnv()
		env.ExecuteWorkflow(func(ctx workflow.Context) (err error) {
			w := &session{acts: map[string]*attempt{}, works: map[string]string{}}
			want, err = w.workedBy(ctx, s)
			got = w.s
			return err
		})
		if err := env.GetWorkflowError(); err != nil || got.Elapsed != want.Seconds() {
			rt.Fatalf("the running time is %v s, and the workers ran %v: %v", got.Elapsed, want, err)
		}
		if want < time.Minute {
			rt.Fatalf("the workers ran %v", want)
		}
	})
}

// workedBy has each event of a session recorded by an act whose worker works as long as it says, and gives the sum that counts.
func (w *session) workedBy(ctx workflow.Context, s script) (sum time.Duration, err error) {
	err = w.apply(ctx, machine.Event{Type: machine.Created, Initial: s.first()}, 0)
	r := rand.New(rand.NewPCG(s.seed, 2))
	for err == nil && machine.Next(w.s).Name != machine.StepEnd {
		ran, e := time.Duration(r.IntN(100))*time.Second, s.next(w.s)
		counts := w.s.Gate == nil && e.Type != machine.RunStarted
		err = errors.Join(workflow.Sleep(ctx, time.Duration(r.IntN(3600))*time.Second), w.work(ctx, e, ran, counts && r.IntN(4) == 0))
		if counts {
			sum += ran
		}
	}
	return sum, err
}

// work is an act that records one event, in whose middle a person may send a note.
func (w *session) work(ctx workflow.Context, e machine.Event, ran time.Duration, note bool) error {
	at := &attempt{act: "1"}
	w.acts[""] = at
	defer w.end(at)
	_, err := w.take(ctx, Take{Act: "1", Attempt: 1, Revision: w.s.Revision})
	err = errors.Join(err, workflow.Sleep(ctx, ran/2))
	if note {
		_, failed := w.note(ctx, machine.Event{Type: machine.Noted, Detail: "mind the tests"})
		err = errors.Join(err, failed)
	}
	err = errors.Join(err, workflow.Sleep(ctx, ran-ran/2))
	e.Rev = w.s.Revision + 1
	_, failed := w.record(ctx, Record{Act: "1", Attempt: 1, Event: e, Ran: ran})
	return errors.Join(err, failed)
}
