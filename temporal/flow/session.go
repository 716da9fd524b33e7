package flow

import (
	"fmt"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
)

// longest is how many events a history may have before the workflow goes on as a new run. Temporal ends one of 51,200.
const longest = 10_000

// session is one run of the workflow.
type session struct {
	s        machine.State
	tail     []machine.Event
	parallel int

	began   int64 // the revision that this run began with
	phase   int   // the phase that it began with
	going   lanes // the lanes that are at work
	leaving bool  // none is begun any more, and those at work end after their step
	failed  error // the first that a lane ended with
}

// lanes are tasks at work beside the run's own working tree, by id.
type lanes map[string]bool

// Session is the workflow: it ends at the end of the session.
func Session(ctx workflow.Context, in Input) (Result, error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 24 * time.Hour, HeartbeatTimeout: 30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{InitialInterval: time.Second, MaximumInterval: time.Minute},
	})
	w := &session{s: in.State, tail: in.Tail, parallel: in.Parallel, began: in.State.Revision, phase: in.State.CurrentPhase, going: lanes{}}
	if err := w.handle(ctx); err != nil {
		return Result{}, err
	}
	if in.First != nil {
		if err := w.create(ctx, in); err != nil {
			return Result{}, err
		}
	}
	return w.run(ctx)
}

// create is the beginning of a session.
func (w *session) create(ctx workflow.Context, in Input) error {
	return w.apply(ctx, Played{Events: []machine.Event{
		{Type: machine.Created, Initial: in.First},
		{Type: machine.RunStarted, Parallel: in.Parallel, Edition: machine.Edition, KeysAsked: true},
	}})
}

// apply applies what happened, at the workflow's time: of the time since the last event, what nobody worked in is none that runs.
func (w *session) apply(ctx workflow.Context, p Played) error {
	for i, e := range p.Events {
		e.Time = workflow.Now(ctx)
		if i == 0 && !w.s.UpdatedAt.IsZero() {
			e.Slept = max(0, (e.Time.Sub(w.s.UpdatedAt) - p.Ran).Truncate(time.Second).Seconds())
		}
		e = w.s.Stamp(e)
		next, err := transition.Apply(w.s, e)
		if err != nil {
			return fmt.Errorf("applying %s: %w", e.Type, err)
		}
		w.s, w.tail = next, append(w.tail, e)
	}
	return nil
}

// run does one step after the other.
func (w *session) run(ctx workflow.Context) (Result, error) {
	for {
		if err := w.fill(ctx); err != nil {
			return Result{}, err
		}
		step := machine.Next(w.s)
		var err error
		switch {
		case w.failed != nil:
			err = w.failed
		case step.Name == machine.StepEnd:
			return Result{w.s.Revision, w.s.CurrentState}, w.settle(ctx)
		case w.due(ctx, step):
			err = w.continueAsNew(ctx)
		case step.Name == machine.StepWait:
			err = workflow.Await(ctx, func() bool { return w.s.Gate == nil })
		case step.Name == machine.StepLanes:
			rev := w.s.Revision
			err = workflow.Await(ctx, func() bool { return w.s.Revision > rev || w.failed != nil })
		default:
			err = w.do(ctx, act(w.s, step))
		}
		if err != nil {
			return Result{}, err
		}
	}
}

// do does a step that is not a lane's, or is one's.
func (w *session) do(ctx workflow.Context, a Act) error {
	if e, can := announce(w.s, a.Step, a.Effect); can {
		return w.apply(ctx, Played{Events: []machine.Event{e}})
	}
	var p Played
	if err := workflow.ExecuteActivity(ctx, PlayName, a).Get(ctx, &p); err != nil {
		return fmt.Errorf("playing %s of %s: %w", a.Step.Name, a.Step.State, err)
	}
	return w.apply(ctx, p)
}

// due says whether the workflow goes on as a new run: at a question, with a new phase, and before its history gets too long.
func (w *session) due(ctx workflow.Context, step machine.Step) bool {
	info := workflow.GetInfo(ctx)
	atGate := step.Name == machine.StepWait && w.s.Revision > w.began
	newPhase := w.s.CurrentPhase != w.phase
	return atGate || newPhase || info.GetContinueAsNewSuggested() || info.GetCurrentHistoryLength() > longest
}

// continueAsNew goes on as a new run, once the lanes are quiet, the handlers are done, and the journal is kept.
func (w *session) continueAsNew(ctx workflow.Context) error {
	w.leaving = true
	if err := workflow.Await(ctx, func() bool { return len(w.going) == 0 }); err != nil {
		return err
	}
	if w.failed != nil {
		return w.failed
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	return workflow.NewContinueAsNewError(ctx, Session, Input{State: w.s, Tail: w.tail, Parallel: w.parallel})
}

// settle keeps the journal and waits for the handlers: what one of them applies meanwhile is kept, too.
func (w *session) settle(ctx workflow.Context) error {
	for len(w.tail) > 0 {
		tail := slices.Clone(w.tail)
		if err := workflow.ExecuteActivity(ctx, KeepName, Tail{w.s.SessionID, tail}).Get(ctx, nil); err != nil {
			return fmt.Errorf("keeping the journal: %w", err)
		}
		w.tail = w.tail[len(tail):]
	}
	return workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) })
}
