package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd"
	"autopilot/cmd/app"
	"autopilot/sessions"
	"autopilot/sessions/atwork"
	"autopilot/temporal/account"
	"autopilot/temporal/flow"
)

// Play does the next step of a session, or of the lane of a task.
func (w *Worker) Play(ctx context.Context, a flow.Act) (p flow.Played, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h, stop := w.alive(ctx, cancel)
	defer stop()
	defer context.AfterFunc(w.Stopping, func() { cancel(errors.New("the worker is stopping")) })()
	defer func() {
		b := h.beats()
		switch {
		case err != nil: // the next attempt goes on with what the last heartbeat says
			_ = h.tell(context.WithoutCancel(ctx), b, 5*time.Second)
			err = leaving(ctx, leftOf(b, a), err)
		case p.Until != nil || p.Stop != "" || p.Spent != "":
			p.Left = leftOf(b, a)
		}
	}()
	defer func() {
		if lacksBackend(err) { // else this worker, which is never busy, would be the first to try again
			_ = w.Host.Pause(ctx, time.Minute)
		}
	}()
	if is, _ := (machine.Step{Name: a.Step}).Dispatching(); !is || w.Account.Name == "" {
		return w.play(ctx, a, h)
	}
	err = w.lease(ctx, a, h).Hold(ctx, func(ctx context.Context) (limited time.Time, err error) {
		h.say(lastBeat(ctx))
		if p, err = w.play(ctx, a, h); p.Met && p.Until != nil {
			limited = *p.Until
		}
		return limited, err
	})
	if limit, is := errors.AsType[*account.LimitedError](err); is { // the workflow waits, so that no place is held meanwhile
		until := sooner(limit.Until, w.Host.Now())
		return flow.Played{Until: &until, Limit: limit.Error(), Waited: a.Waited}, nil
	}
	return p, err
}

// leftOf is the work in the middle of an act that a heartbeat told, or an earlier act; nil is none.
func leftOf(b Beat, a flow.Act) *flow.Left {
	left := flow.Left{Work: a.Lost}
	if b.Work != "" {
		left = b.Left
	}
	if left.Work == "" {
		return nil
	}
	return &left
}

// leaving adds that to an error: another act may go on with it.
func leaving(ctx context.Context, left *flow.Left, err error) error {
	switch {
	case left == nil:
		return err
	case temporal.IsCanceledError(context.Cause(ctx)): // the act was called off
		return temporal.NewCanceledError(*left)
	}
	return temporal.NewApplicationErrorWithOptions(err.Error(), "", temporal.ApplicationErrorOptions{Cause: err, Details: []any{*left}})
}

// lacksBackend says whether an agent could not run for want of a key, or of a program.
func lacksBackend(err error) bool {
	_, key := errors.AsType[*halt.CredentialsError](err)
	_, program := errors.AsType[*halt.NoBackendError](err)
	return key || program
}

// lease is that of the account, for an act.
func (w *Worker) lease(ctx context.Context, a flow.Act, h *heart) account.Lease {
	info, b := activity.GetInfo(ctx), lastBeat(ctx)
	id := info.WorkflowExecution.ID
	return account.Lease{
		Accounts: account.Client{Temporal: w.Client, Queue: flow.SessionQueue}, Account: w.Account.Name,
		Request: account.Request{Session: id, ID: fmt.Sprintf("%s %s.%d", id, a.ID, info.Attempt), Slots: w.Account.Slots}, // an attempt that is lost may still be at work
		OnWait: func(ans account.Answer) {
			b.Line = fmt.Sprintf("waits for the account %s, place %d", w.Account.Name, ans.Place)
			h.say(b)
		},
	}
}

// play lays the session out in a clone, and has the engine do the step.
func (w *Worker) play(ctx context.Context, a flow.Act, h *heart) (p flow.Played, err error) {
	d, err := w.open(ctx, a)
	if err != nil {
		return p, err
	}
	defer d.close()
	defer func() { p.Met = d.ran }()
	if err := d.restore(ctx); err != nil {
		return p, err
	}
	d.memory(ctx, d.hub.TakeMemory)
	board := atwork.New(w.Host.Now)
	e, err := w.engine(ctx, d, board)
	if err != nil {
		return outcome(ctx, errors.Join(err, d.pay()), 0, a.Waited, w.Host.Now())
	}
	defer d.report(ctx, h, board, lastBeat(ctx).Left)()
	err = errors.Join(d.do(ctx, e), d.pay())
	if !d.flying(d.State()) {
		saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		if saved := d.save(saving); err == nil {
			err = saved
		}
	}
	return outcome(ctx, err, e.Settings.LongestWait, a.Waited, w.Host.Now())
}

// do has an engine do the step, or take the answer.
func (d *desk) do(ctx context.Context, e *autopilot.Engine) error {
	a, s := d.act.Answer, d.State()
	switch {
	case a == nil && d.elsewhere(s):
		return nil // an attempt that was cut off did the step
	case a == nil:
		return e.Step(ctx, d.act.Task)
	case s.Gate == nil || s.Gate.ID != a.Gate:
		return nil // an attempt that was cut off took it
	}
	return e.Answer(ctx, *a)
}

// elsewhere says whether the session's next step belongs to another queue than the act's, or needs an account that the act has not.
func (d *desk) elsewhere(s machine.State) bool {
	step, act := machine.Next(s), machine.Step{Name: d.act.Step}
	if t, is := s.Task(d.act.Task); is && t.Lane.Busy() {
		step = machine.InLane(s, t)
	} else if is {
		return true
	}
	here, _ := flow.QueueOf(d.act.Job, act)
	there, _ := flow.QueueOf(d.act.Job, step)
	ours, flying := act.Dispatching()
	its, awaited := step.Dispatching()
	return here != there || ours != its || flying && !awaited // an agent that begins needs an act for which something is set aside
}

// engine is the engine of a session in its clone.
func (w *Worker) engine(ctx context.Context, d *desk, board *atwork.Board) (*autopilot.Engine, error) {
	h := *w.Host
	h.Dir, h.Err = d.clone.Dir, d.log()
	place, err := app.FindWorkspace(ctx, &h, d.act.Spec, git.Open)
	if err != nil {
		return nil, err
	}
	if err := place.Repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, err
	}
	cfg, err := Settings(&h, d.clone.Dir, d.act.Job.Settings)
	if err != nil {
		return nil, err
	}
	if err := agreed(ctx, &h, place, d.State(), d.act.Job); err != nil {
		return nil, err
	}
	e, err := cmd.Engine(ctx, w.Backend.flags(&h), d.act.Job.Yes, place, cfg, d.session, d, board)
	if err != nil {
		return nil, err
	}
	e.Bring = d.bring
	if d.act.Job.Limits != nil {
		e.Settings.Limits = *d.act.Job.Limits
	}
	return e, nil
}

// Keep gives the hub the end of a session's journal, and removes what it has of working trees that are not needed any more.
func (w *Worker) Keep(ctx context.Context, k flow.Keep) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	_, stop := w.alive(ctx, cancel)
	defer stop()
	d := &desk{worker: w, act: k.Act}
	if err := d.fetch(ctx); err != nil {
		return err
	}
	defer d.close()
	if err := d.enter(ctx, k.Tail); err != nil {
		return err
	}
	if err := d.session.Close(); err != nil {
		return err
	}
	d.session = nil
	return d.hub.Settle(ctx, k.Works, k.Lost)
}

// stateOf is the state of a session in a folder, or an empty one.
func stateOf(s *sessions.Session) machine.State {
	if s == nil {
		return machine.State{}
	}
	return s.State()
}
