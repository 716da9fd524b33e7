package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// dispatchPrefix begins the names of this package's dispatches, so that the folders of killed ones are known.
const dispatchPrefix = "tasks-"

// dispatch has the executor work on a task, and puts right what it may not do to the repository. Nil is a reply that
// says done; whether it is true is seen afterwards.
func (a attempts) dispatch(ctx context.Context, t taskfile.ListedTask) error {
	if err := a.spending.withinBudget(t.ID); err != nil {
		return err
	}
	backend, name, err := a.backends.For(a.persona)
	if err != nil {
		return err
	}
	d, err := a.prepare(ctx, t, backend)
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.OutDir)
	list, err := a.list.keepList(ctx)
	if err != nil {
		return err
	}
	was, err := a.watch(ctx, t, d.ID)
	if err != nil {
		return fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	d.Check = func(ctx context.Context, _ personas.Reply) (string, error) { return a.prove(ctx, t, d.ID, was) }
	a.say("dispatch", "%s dispatched for %s", a.persona.Name, t.ID)
	var out personas.Outcome
	limited, end := a.spending.guard(ctx, &d, t.ID)
	err = a.claims.hold(limited, t, func(ctx context.Context) (err error) {
		out, err = a.mask.Dispatch(ctx, backend, d)
		return err
	})
	if err == nil {
		a.spending.spent.how.ended(t.ID, out, a.spending.now().Sub(a.spending.spent.flight))
	}
	over := budget.Overspent(limited)
	end()
	links, linked := workspace.RemoveLinks([]*git.Repo{a.repo})
	for _, path := range links {
		a.say("warning", "The agent put a link in the place of %s, where autopilot writes. It was removed.", path)
	}
	if linked != nil {
		return errors.Join(err, linked)
	}
	settled := a.putRight(context.WithoutCancel(ctx), t, d.ID, was, time.Time{}, out.Reply)
	if settled == nil || isFailure(settled) {
		settled = errors.Join(a.list.sameList(context.WithoutCancel(ctx), t, list, "the agent"), settled)
	}
	if err != nil || settled != nil {
		return errors.Join(err, settled)
	}
	if err := dispatch.Keep(d.AttemptDir, out); err != nil {
		return err
	}
	if ctx.Err() != nil && out.Kind != personas.GotReply {
		return ctx.Err()
	}
	if over != nil && out.Kind != personas.GotReply {
		return over
	}
	if out, err = a.believed(ctx, t, out); err != nil {
		return err
	}
	if out.Kind == personas.RateLimited {
		_, told, limit := dispatch.GoOn(a.backends, a.persona, out, name)
		if limit == nil {
			a.say("warning", "%s", told)
			return a.dispatch(ctx, t)
		}
		limit.What += "\nNo attempt was spent. Go on later: autopilot tasks run"
		return limit
	}
	return replied(out, name, personas.RemedyOf(backend))
}

// believed takes an outage for a crash where the agent's words alone tell of it and have done so too often in the attempt.
func (a attempts) believed(ctx context.Context, t taskfile.ListedTask, out personas.Outcome) (personas.Outcome, error) {
	if !out.TextOnly {
		return out, nil
	}
	enough := false
	err := a.file.Update(context.WithoutCancel(ctx), func(list *taskfile.TaskList) (err error) {
		enough, err = list.Heard(t.ID, a.claims.worker)
		return err
	})
	if enough {
		out = budget.Doubted(out)
	}
	return out, err
}

// attemptDir is where what an attempt sent and got is kept.
func (a attempts) attemptDir(t taskfile.ListedTask) string {
	return filepath.Join(a.dir, RefPart(t.ID), fmt.Sprint(t.Attempts+1))
}

// prepare makes the order for the backend: folders, prompt, environment.
func (a attempts) prepare(ctx context.Context, t taskfile.ListedTask, backend personas.Backend) (personas.Dispatch, error) {
	by := dispatch.Dispatcher{
		Root: a.repo.Root(), Mask: a.mask, LockFile: a.lockFile, Idle: a.settings.Idle, Timeout: a.settings.Dispatch, Turns: a.settings.Turns, Tell: a.tellOfAgent,
	}
	d, err := by.Prepare(dispatch.Order{
		ID: dispatchPrefix + a.newID(), Persona: a.persona, Purpose: personas.Work,
		Key: personas.Key{Persona: string(a.persona.Name), Task: t.ID, Attempt: t.Attempts + 1}, Session: a.dir, Attempt: a.attemptDir(t),
	}, func(d personas.Dispatch) (personas.Brief, map[string]string, error) {
		brief, err := a.brief(ctx, t, d)
		brief.Submits = personas.Submits(backend)
		return brief, map[string]string{
			"AUTOPILOT_TASK": t.ID, "AUTOPILOT_BASE": baseOf(t), "HARNESS_STATE_ROOT": a.root, "HARNESS_WORKER_ID": a.claims.worker, "HARNESS_TASK_ID": t.ID,
		}, err
	})
	if err != nil {
		return d, err
	}
	d.OnStep = func(line string) { a.claims.hear(context.WithoutCancel(ctx), t, line) }
	return d, by.Open(d)
}

// watch remembers what the dispatch must leave as it is, beside the task, so that a run after a kill knows it too.
func (a attempts) watch(ctx context.Context, t taskfile.ListedTask, dispatch string) (workspace.RepoSnapshot, error) {
	b, known, err := a.notes.remembered(ctx, t)
	if err == nil && known && b.Begun {
		err = a.notes.anew(ctx, &b)
	}
	if err == nil {
		err = b.Traces.End(ctx, a.repo) // of a check that a kill cut off: what comes now is the agent's
	}
	if err != nil {
		return workspace.RepoSnapshot{}, err
	}
	was, err := a.line.guarding(t.ID, dispatch).Capture(ctx, b.Saved)
	if err != nil || !known {
		return was, err
	}
	a.line.share(&was)
	b.Flight = &flight{dispatch, was}
	return was, a.notes.write(ctx, b)
}
