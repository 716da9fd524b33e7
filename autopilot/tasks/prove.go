package tasks

import (
	"context"
	"errors"
	"strings"

	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// prove is what a task's agent is told of its work before it ends the dispatch: conclude, on the tree as it is, without
// a commit. Nothing rests on it: once the dispatch has ended the task is validated as ever.
func (a attempts) prove(ctx context.Context, t taskfile.ListedTask, dispatch string, was workspace.RepoSnapshot) (string, error) {
	misdeeds, err := a.line.guarding(t.ID, dispatch).Violations(ctx, was)
	if err != nil || len(misdeeds) > 0 {
		return strings.Join(misdeeds, "\n"), err
	}
	err = a.proveWork(ctx, t)
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed.Why, nil
	}
	return "", err
}

func (a attempts) proveWork(ctx context.Context, t taskfile.ListedTask) error {
	work, err := a.shown(ctx, t)
	if err != nil {
		return err
	}
	ev, err := a.proveCommand(ctx, t)
	if err != nil || ev.Outcome == validate.CouldNotCheck {
		return err
	}
	if err := verdict(ev); err != nil {
		return err
	}
	return a.integrity(ctx, t, work, ev)
}

// proveCommand runs the task's command. What it leaves behind is not taken for the agent's work.
func (a attempts) proveCommand(ctx context.Context, t taskfile.ListedTask) (ev validate.Evidence, err error) {
	if err := a.notes.trace(ctx, t, true); err != nil {
		return ev, err
	}
	ev = a.commands.check(ctx, t)
	a.say("check", "checked before the reply is taken: %s: %s (%.1f s)", t.Validation.Command, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
	if err := a.notes.trace(context.WithoutCancel(ctx), t, false); err != nil {
		return ev, err
	}
	return ev, ctx.Err()
}
