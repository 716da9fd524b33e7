package flow

import (
	"errors"
	"path"

	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// fill begins the lanes that may be at work, and goes on with those that have to.
func (w *session) fill(ctx workflow.Context) error {
	if w.parallel < 2 || w.s.CurrentState != machine.Execute || w.leaving {
		return nil
	}
	for _, id := range machine.Startable(w.s) {
		e := machine.Event{Type: machine.TaskStarted, Task: id, Base: tip(w.s), Lane: w.laneOf(id)}
		var illegal *machine.IllegalEventError
		if err := w.apply(ctx, Played{Events: []machine.Event{e}}); err != nil && !errors.As(err, &illegal) {
			return err
		}
	}
	for _, t := range w.s.Tasks {
		if t.Lane.Busy() && !w.going[t.ID] && len(w.going) < w.parallel {
			w.going[t.ID] = true
			workflow.Go(ctx, func(ctx workflow.Context) { w.ended(ctx, t.ID, w.lane(ctx, t.ID)) })
		}
	}
	return nil
}

// laneOf is where a task works beside others: a folder of the worker's clone, and the branch of its attempts.
func (w *session) laneOf(id string) *machine.Lane {
	return &machine.Lane{Dir: path.Join(".harness/worktrees", w.s.SessionSlug+".lanes", id), Branch: "autopilot/" + w.s.SessionSlug + "." + id}
}

// lane does the steps of a task's lane until it is done there, has to wait, or the run ends.
func (w *session) lane(ctx workflow.Context, id string) error {
	for !w.leaving {
		t, ok := w.s.Task(id)
		if !ok || !t.Lane.Busy() {
			return nil
		}
		if err := w.do(ctx, laneAct(w.s, t)); err != nil {
			return err
		}
	}
	return nil
}

// ended makes room for another lane: the run's own working tree may be busy for long.
func (w *session) ended(ctx workflow.Context, id string, err error) {
	delete(w.going, id)
	if err == nil {
		err = w.fill(ctx)
	}
	if err != nil && w.failed == nil {
		w.failed = err
	}
}
