package flow

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// do has a step done in the working tree of a task, or with "" in the run's own.
func (w *session) do(ctx workflow.Context, task string, step machine.Step) error {
	is, flying := step.Dispatching()
	if is && task == "" {
		w.own = true
		defer func() { w.own = false }()
	}
	limits, ok := w.reserve(task, step)
	if !ok {
		return w.share(ctx, task, func() bool { left, _ := w.unreserved(); return enough(left) })
	}
	a := w.act(task, step)
	a.Job.Limits = limits
	p, err := w.play(ctx, a, step)
	part, ends := is && !flying && w.release(step.Task), w.ends
	switch {
	case err != nil:
		return err
	case p.Spent != "" && part:
		return w.share(ctx, task, func() bool { return w.ends > ends })
	}
	return w.pause(ctx, p, task, w.acts[task].recorded > 0)
}

// pause waits as long as an act says that nothing can be done, and for a while where it did nothing. A lane does so in the next run, too.
func (w *session) pause(ctx workflow.Context, p Played, task string, did bool) error {
	var wait time.Duration
	switch {
	case p.Stop != "" || p.Spent != "":
		w.stopping = cmp.Or(p.Stop, p.Spent)
	case p.Until != nil:
		wait = max(leastWait, p.Until.Sub(workflow.Now(ctx)))
		w.waited[task] = p.Waited
		defer w.told(ctx, p.Limit)()
	case did:
		delete(w.waited, task)
	default:
		wait = nowhere
	}
	_, err := workflow.AwaitWithTimeout(ctx, max(0, wait), func() bool { return w.stopping != "" || w.leaving && task != "" })
	return err
}

// told shows everybody what is waited for, until the function that it returns is called.
func (w *session) told(ctx workflow.Context, limit string) (end func()) {
	w.limited++
	workflow.SetCurrentDetails(ctx, "waits: "+limit)
	return func() {
		if w.limited--; w.limited == 0 && w.stopping == "" {
			workflow.SetCurrentDetails(ctx, "")
		}
	}
}

// act is a step for a worker. No other one of this run has its id.
func (w *session) act(task string, step machine.Step) Act {
	w.made++
	id := fmt.Sprintf("%d.%d", w.s.Revision, w.made)
	if task != "" {
		id = task + "/" + id
	}
	return Act{Job: w.job, Slug: w.s.SessionSlug, Spec: w.s.SpecPath, ID: id, Task: task, Step: step.Name, Lost: w.lost[task], Waited: w.waited[task]}
}

// play has a worker do an act.
func (w *session) play(ctx workflow.Context, a Act, step machine.Step) (p Played, err error) {
	acting, cancel := workflow.WithCancel(w.withOptions(ctx, step, attemptsOf))
	defer cancel()
	at := &attempt{act: a.ID}
	w.acts[a.Task] = at
	defer w.end(at)
	done := workflow.ExecuteActivity(acting, PlayName, a)
	off := func() bool { return w.now || w.stopping != "" && at.number == 0 } // what nobody took is not begun
	if err = workflow.Await(ctx, func() bool { return done.IsReady() || off() }); err != nil {
		return p, err
	}
	called := off()
	if called {
		cancel()
	}
	err = done.Get(ctx, &p)
	_, at.exhausted = errors.AsType[*temporal.ActivityError](err)
	w.leave(a.Task, p.Left, err)
	switch {
	case err != nil && (called || at.exhausted): // however it ended, what it recorded counts
		return p, nil
	case err != nil:
		err = fmt.Errorf("doing %s of %s: %w", step.Name, step.State, err)
	}
	return p, err
}
