package worker

import (
	"context"
	"errors"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd"
	"autopilot/cmd/app"
	"autopilot/sessions"
	"autopilot/sessions/atwork"
	"autopilot/temporal/flow"
)

// Play does the next step of a session, or of the lane of a task.
func (w *Worker) Play(ctx context.Context, a flow.Act) (flow.Played, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.Stopping, func() { cancel(errors.New("the worker is stopping")) })()
	d, err := w.open(ctx, a)
	if err != nil {
		return flow.Played{}, err
	}
	defer d.close()
	if err := d.restore(ctx); err != nil {
		return flow.Played{}, err
	}
	board := atwork.New(w.Host.Now)
	e, err := w.engine(ctx, d, board)
	if err != nil {
		return flow.Played{}, err
	}
	beating, stop := context.WithCancel(ctx)
	defer stop()
	go d.beat(beating, board, w.SaveEvery)
	switch s := d.State(); {
	case a.Answer != nil && (s.Gate == nil || s.Gate.ID != a.Answer.Gate): // an attempt that was cut off took it
	case a.Answer != nil:
		err = e.Answer(ctx, *a.Answer)
	default:
		err = e.Step(ctx, a.Task)
	}
	stop()
	if !d.flying(d.State()) {
		if _, saved := d.save(context.WithoutCancel(ctx)); err == nil {
			err = saved
		}
	}
	return outcome(ctx, err, w.Host.Now())
}

// engine is the engine of a session in its clone.
func (w *Worker) engine(ctx context.Context, d *desk, board *atwork.Board) (*autopilot.Engine, error) {
	h := *w.Host
	h.Dir = d.clone.Dir
	place, err := app.FindWorkspace(ctx, &h, d.act.Spec, git.Open)
	if err != nil {
		return nil, err
	}
	if err := place.Repo.Exclude(ctx, app.RunData...); err != nil {
		return nil, err
	}
	cfg, _, err := app.LoadConfig(&h, d.clone.Dir, "", d.act.Job.Settings)
	if err != nil {
		return nil, err
	}
	return cmd.Engine(ctx, w.Backend.flags(&h), d.act.Job.Yes, place, cfg, d.session, d, board)
}

// outcome says what the workflow has to know of how a step ended. An open question is in the state; a limit is waited out there, so
// that no place is held meanwhile.
func outcome(ctx context.Context, err error, now time.Time) (flow.Played, error) {
	var limit *budget.LimitError
	var waiting *halt.WaitingError
	var refused *machine.AnswerError
	switch {
	case errors.As(err, &refused):
		return flow.Played{Refused: refused.Reason}, nil
	case errors.As(err, &waiting):
		return flow.Played{}, nil
	case errors.As(err, &limit) && ctx.Err() == nil:
		until := limit.Until
		if until.IsZero() {
			until = now.Add(unknownLimit)
		}
		return flow.Played{Until: &until, Limit: limit.Error()}, nil
	case err != nil && ctx.Err() != nil:
		return flow.Played{}, context.Cause(ctx)
	}
	return flow.Played{}, err
}

// unknownLimit is how long a limit is waited out whose end nobody knows.
const unknownLimit = 15 * time.Minute

// Keep gives the hub the end of a session's journal, and removes what it has of working trees that are not needed any more.
func (w *Worker) Keep(ctx context.Context, k flow.Keep) error {
	d := &desk{worker: w, act: k.Act}
	if err := d.fetch(ctx); err != nil {
		return err
	}
	defer d.close()
	if err := d.enter(k.Tail); err != nil {
		return err
	}
	if err := d.session.Close(); err != nil {
		return err
	}
	d.session = nil
	return d.hub.Settle(ctx, k.Works)
}

// stateOf is the state of a session in a folder, or an empty one.
func stateOf(s *sessions.Session) machine.State {
	if s == nil {
		return machine.State{}
	}
	return s.State()
}
