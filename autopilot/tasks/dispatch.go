package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// dispatch has the executor work on a task, and puts right what it may not do to the repository. Nil is a reply that
// says done; whether it is true is seen afterwards.
func (l *Loop) dispatch(ctx context.Context, t machine.ListedTask) error {
	if n := l.Settings.MaxDispatches; n > 0 && l.dispatches >= n {
		return &autopilot.LimitError{What: fmt.Sprintf("the budget of %s is used up; --max-dispatches raises it", machine.Plural(n, "dispatch", "dispatches"))}
	}
	l.dispatches++
	backend, name, err := l.Backends.For(l.Persona)
	if err != nil {
		return err
	}
	d, err := l.prepare(ctx, t)
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.OutDir)
	w, err := l.watch(ctx, t)
	if err != nil {
		return fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	l.say("dispatch", "%s dispatched for %s", l.Persona.Name, t.ID)
	var out personas.Outcome
	err = l.hold(ctx, t, func(ctx context.Context) (err error) {
		out, err = backend.Dispatch(ctx, d)
		return err
	})
	settled := l.putRight(context.WithoutCancel(ctx), t, d.ID, w)
	if err != nil || settled != nil {
		return errors.Join(err, settled)
	}
	if out.Reply != nil {
		data, err := json.MarshalIndent(out.Reply, "", "  ")
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
	return replied(out, name)
}

// prepare makes the order for the backend: folders, prompt, environment.
func (l *Loop) prepare(ctx context.Context, t machine.ListedTask) (personas.Dispatch, error) {
	id := dispatchPrefix + l.NewID()
	attempt := filepath.Join(l.Dir, refPart(t.ID), fmt.Sprint(t.Attempts+1))
	out := filepath.Join(l.Repo.Root(), ".harness", "out", id)
	if err := errors.Join(os.MkdirAll(attempt, 0o755), os.MkdirAll(out, 0o755)); err != nil {
		return personas.Dispatch{}, err
	}
	d := personas.Dispatch{
		ID: id, Key: personas.Key{Persona: string(l.Persona.Name), Task: t.ID, Attempt: t.Attempts + 1}, Purpose: personas.Work, Persona: l.Persona,
		Dir: l.Repo.Root(), OutDir: out, ReplyPath: filepath.Join(out, "reply.json"), SessionDir: l.Dir, AttemptDir: attempt,
		Idle: l.Settings.Idle, Timeout: l.Settings.Dispatch, MaxTurns: l.Settings.Turns, LockFile: l.LockFile,
		OnEvent: func(kind, text string) { l.hear(context.WithoutCancel(ctx), t, kind, text) },
	}
	brief, err := l.brief(ctx, t, d)
	if err != nil {
		return d, fmt.Errorf("writing the brief: %w", err)
	}
	d.Prompt = personas.Render(l.Persona, brief)
	d.Env = map[string]string{
		"AUTOPILOT_REPLY": d.ReplyPath, "AUTOPILOT_PERSONA": string(l.Persona.Name), "AUTOPILOT_TASK": t.ID,
		"AUTOPILOT_ATTEMPT": fmt.Sprint(t.Attempts + 1), "AUTOPILOT_SESSION_DIR": l.Dir, "AUTOPILOT_BASE": baseOf(t),
		"AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_PLAN": "", "AUTOPILOT_SPEC": "", "AUTOPILOT_RIGOR": "", "AUTOPILOT_SCRATCHPAD": "",
		"HARNESS_STATE_ROOT": l.Root, "HARNESS_WORKER_ID": l.Worker, "HARNESS_TASK_ID": t.ID,
	}
	return d, os.WriteFile(filepath.Join(attempt, "prompt.md"), []byte(d.Prompt), 0o644)
}

// watched is what a dispatch must leave as it is.
type watched struct {
	guard git.Guard
	users git.Saved        // the user's uncommitted files
	list  machine.TaskList // as it was before
}

// watch remembers it.
func (l *Loop) watch(ctx context.Context, t machine.ListedTask) (watched, error) {
	b, known, err := l.remembered(t)
	if err == nil && known && b.Begun {
		err = l.anew(ctx, &b)
	}
	if err != nil {
		return watched{}, err
	}
	list, err := l.File.Read()
	if err != nil {
		return watched{}, err
	}
	guard, err := l.Repo.Watch(ctx, b.Saved.All())
	return watched{guard, b.Saved, list}, err
}
