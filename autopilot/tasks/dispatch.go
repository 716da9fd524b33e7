package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/budget"
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
	if out.Reply != nil {
		data, err := json.MarshalIndent(out.Reply, "", "  ")
		if err == nil {
			err = os.MkdirAll(d.AttemptDir, 0o755) // the agent may have cleaned up
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(d.AttemptDir, "reply.json"), data, 0o644)
		}
		if err != nil {
			return err
		}
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
		next, at, free := l.Backends.Limited(l.Persona, name, out.Until)
		if free {
			l.say("warning", "%s", personas.Sentences(budget.Reported(out, name), "Going on with backend "+next))
			return l.dispatch(ctx, t)
		}
		limit := budget.LimitedUntil(out, name, next, at)
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
	id := dispatchPrefix + l.NewID()
	attempt := l.attemptDir(t)
	out := filepath.Join(l.Repo.Root(), ".harness", "out", id)
	if err := errors.Join(os.MkdirAll(attempt, 0o755), os.MkdirAll(out, 0o755)); err != nil {
		return personas.Dispatch{}, err
	}
	d := personas.Dispatch{
		ID: id, Key: personas.Key{Persona: string(l.Persona.Name), Task: t.ID, Attempt: t.Attempts + 1}, Purpose: personas.Work, Persona: l.Persona,
		Dir: l.Repo.Root(), OutDir: out, ReplyPath: filepath.Join(out, "reply.json"), SessionDir: l.Dir, AttemptDir: attempt,
		Idle: l.Settings.Idle, Timeout: l.Settings.Dispatch, MaxTurns: l.Settings.Turns, LockFile: l.LockFile,
		OnEvent: func(kind, text string) { l.tellOfAgent(kind, text) },
		OnStep:  func(line string) { l.hear(context.WithoutCancel(ctx), t, line) },
	}
	brief, err := l.brief(ctx, t, d)
	if err != nil {
		return d, fmt.Errorf("writing the brief: %w", err)
	}
	brief.Submits = personas.Submits(backend)
	d.Prompt = personas.Render(l.Persona, brief)
	d.Env = map[string]string{
		"AUTOPILOT_REPLY": d.ReplyPath, "AUTOPILOT_PERSONA": string(l.Persona.Name), "AUTOPILOT_TASK": t.ID,
		"AUTOPILOT_ATTEMPT": fmt.Sprint(t.Attempts + 1), "AUTOPILOT_SESSION_DIR": l.Dir, "AUTOPILOT_BASE": baseOf(t),
		"AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_PLAN": "", "AUTOPILOT_SPEC": "", "AUTOPILOT_RIGOR": "", "AUTOPILOT_SCRATCHPAD": "",
		"HARNESS_STATE_ROOT": l.Root, "HARNESS_WORKER_ID": l.Worker, "HARNESS_TASK_ID": t.ID,
	}
	return d, os.WriteFile(filepath.Join(attempt, "prompt.md"), []byte(l.Mask.Replace(d.Prompt)), 0o644)
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
