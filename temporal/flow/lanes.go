package flow

import (
	"cmp"
	"errors"
	"path"

	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/branches"
	"autopilot/autopilot/machine"
)

// fill begins the lanes that may be at work, and goes on with those that have to.
func (w *session) fill(ctx workflow.Context) error {
	if w.s.CurrentState != machine.Execute || w.leaving || w.stopping != "" || w.long(ctx) {
		return nil
	}
	for _, id := range machine.Startable(w.s) {
		before, _ := w.s.Task(id)
		e := machine.Event{Type: machine.TaskStarted, Task: id, Base: cmp.Or(w.tip, tip(w.s)), Lane: w.laneOf(id)}
		if err := w.apply(ctx, e, w.meanwhile(ctx)); err != nil {
			if _, illegal := errors.AsType[*machine.IllegalEventError](err); !illegal {
				return err
			}
			continue
		}
		if before.Lane == nil { // else it goes on in its lane, with what is there
			delete(w.works, id)
			delete(w.lost, id)
		}
	}
	for _, t := range w.s.Tasks {
		if t.Lane.Busy() && !w.going[t.ID] && len(w.going) < max(1, w.s.Parallel) {
			w.going[t.ID] = true
			workflow.Go(ctx, func(ctx workflow.Context) { w.ended(ctx, t.ID, w.lane(ctx, t.ID)) })
		}
	}
	return nil
}

// tip is the last commit of the run's branch that the session made. Others may have been pushed since, such as a person's plan.
func tip(s machine.State) string {
	if s.Committed.SHA != "" {
		return s.Committed.SHA
	}
	return s.StartingCommit
}

// laneOf is where a task works beside others: a folder of a worker's clone, and a branch there, named as the engine names them.
func (w *session) laneOf(id string) *machine.Lane {
	name := branches.RefName(w.s.SessionSlug)
	return &machine.Lane{Dir: path.Join(".harness/worktrees", name+".lanes", id), Branch: "autopilot/" + name + "." + id}
}

// lane has the steps of a task's lane done until it is done there, has to wait, or the run ends.
func (w *session) lane(ctx workflow.Context, id string) error {
	for !w.leaving && w.stopping == "" && !w.long(ctx) {
		t, ok := w.s.Task(id)
		if !ok || !t.Lane.Busy() {
			return nil
		}
		if err := w.do(ctx, id, machine.InLane(w.s, t)); err != nil {
			return err
		}
	}
	return nil
}

// ended makes room for another lane: the run's own working tree may be busy for long.
func (w *session) ended(ctx workflow.Context, id string, err error) {
	delete(w.going, id)
	w.ends++
	if err == nil {
		err = w.fill(ctx)
	}
	if err != nil && w.failed == nil {
		w.failed = err
	}
}
