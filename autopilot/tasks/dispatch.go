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
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// dispatch has the executor work on a task, and puts right what it may not do to the repository. Nil is a reply that
// says done; whether it is true is seen afterwards.
func (l *Loop) dispatch(ctx context.Context, t taskfile.ListedTask) error {
	if err := l.withinBudget(t.ID); err != nil {
		return err
	}
	backend, name, err := l.Backends.For(l.Persona)
	if err != nil {
		return err
	}
	d, err := l.prepare(ctx, t, backend)
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.OutDir)
	list, err := l.keepList(ctx)
	if err != nil {
		return err
	}
	was, err := l.watch(ctx, t, d.ID)
	if err != nil {
		return fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	d.Check = func(ctx context.Context) (string, error) { return l.prove(ctx, t, d.ID, was) }
	l.say("dispatch", "%s dispatched for %s", l.Persona.Name, t.ID)
	var out personas.Outcome
	limited, end := l.guard(ctx, &d, t.ID)
	err = l.hold(limited, t, func(ctx context.Context) (err error) {
		out, err = l.Mask.Dispatch(ctx, backend, d)
		return err
	})
	over := budget.Overspent(limited)
	end()
	links, linked := workspace.RemoveLinks(func() error { return workspace.OwnFolders(l.Repo) })
	for _, path := range links {
		l.say("warning", "The agent put a link in the place of %s, where autopilot writes. It was removed.", path)
	}
	if linked != nil {
		return errors.Join(err, linked)
	}
	settled := l.putRight(context.WithoutCancel(ctx), t, d.ID, was, time.Time{})
	if settled == nil || isFailure(settled) {
		settled = errors.Join(l.sameList(context.WithoutCancel(ctx), t, list, "the agent"), settled)
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
	if out, err = l.believed(ctx, t, out); err != nil {
		return err
	}
	if out.Kind == personas.RateLimited {
		_, told, limit := dispatch.GoOn(l.Backends, l.Persona, out, name)
		if limit == nil {
			l.say("warning", "%s", told)
			return l.dispatch(ctx, t)
		}
		limit.What += "\nNo attempt was spent. Go on later: autopilot tasks run"
		return limit
	}
	return replied(out, name, personas.RemedyOf(backend))
}

// believed takes an outage for a crash where the agent's words alone tell of it and have done so too often in the attempt.
func (l *Loop) believed(ctx context.Context, t taskfile.ListedTask, out personas.Outcome) (personas.Outcome, error) {
	if !out.TextOnly {
		return out, nil
	}
	enough := false
	err := l.File.Update(context.WithoutCancel(ctx), func(list *taskfile.TaskList) (err error) {
		enough, err = list.Heard(t.ID, l.Worker)
		return err
	})
	if enough {
		out = budget.Doubted(out)
	}
	return out, err
}

// attemptDir is where what an attempt sent and got is kept.
func (l *Loop) attemptDir(t taskfile.ListedTask) string {
	return filepath.Join(l.Dir, RefPart(t.ID), fmt.Sprint(t.Attempts+1))
}

// prepare makes the order for the backend: folders, prompt, environment.
func (l *Loop) prepare(ctx context.Context, t taskfile.ListedTask, backend personas.Backend) (personas.Dispatch, error) {
	by := dispatch.Dispatcher{
		Root: l.Repo.Root(), Mask: l.Mask, LockFile: l.LockFile, Idle: l.Settings.Idle, Timeout: l.Settings.Dispatch, Turns: l.Settings.Turns, Tell: l.tellOfAgent,
	}
	d, err := by.Prepare(dispatch.Order{
		ID: dispatchPrefix + l.NewID(), Persona: l.Persona, Purpose: personas.Work,
		Key: personas.Key{Persona: string(l.Persona.Name), Task: t.ID, Attempt: t.Attempts + 1}, Session: l.Dir, Attempt: l.attemptDir(t),
	}, func(d personas.Dispatch) (personas.Brief, map[string]string, error) {
		brief, err := l.brief(ctx, t, d)
		brief.Submits = personas.Submits(backend)
		return brief, map[string]string{
			"AUTOPILOT_TASK": t.ID, "AUTOPILOT_BASE": baseOf(t), "HARNESS_STATE_ROOT": l.Root, "HARNESS_WORKER_ID": l.Worker, "HARNESS_TASK_ID": t.ID,
		}, err
	})
	if err != nil {
		return d, err
	}
	d.OnStep = func(line string) { l.hear(context.WithoutCancel(ctx), t, line) }
	return d, by.Open(d)
}

// watch remembers what the dispatch must leave as it is, beside the task, so that a run after a kill knows it too.
func (l *Loop) watch(ctx context.Context, t taskfile.ListedTask, dispatch string) (workspace.RepoSnapshot, error) {
	b, known, err := l.remembered(t)
	if err == nil && known && b.Begun {
		err = l.anew(ctx, &b)
	}
	if err == nil {
		err = b.Traces.End(ctx, l.Repo) // of a check that a kill cut off: what comes now is the agent's
	}
	if err != nil {
		return workspace.RepoSnapshot{}, err
	}
	was, err := l.guarding(t.ID, dispatch).Capture(ctx, b.Saved)
	if err != nil || !known {
		return was, err
	}
	l.share(&was)
	b.Flight = &flight{dispatch, was}
	return was, l.write(b)
}

// guarding looks after the repository during a dispatch for a task.
func (l *Loop) guarding(id, dispatch string) workspace.RepoGuard {
	harness := filepath.Dir(l.Dir)
	g := workspace.RepoGuard{
		Repo: l.Repo, Home: filepath.Dir(harness), Dispatch: dispatch, Kept: l.ref(id, "undone", dispatch), Who: "the agent",
		Control: append(workspace.ControlFiles(filepath.Dir(harness), harness), filepath.Join(l.Root, InitScript)),
	}
	if g.Lenient = l.Line != nil; g.Lenient { // nobody knows whose agent it was
		g.Blame = func() (string, string) { return machine.Important, "one of the agents at work, or you," }
	}
	return g
}
