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
func (l *Loop) prove(ctx context.Context, t taskfile.ListedTask, dispatch string, was workspace.RepoSnapshot) (string, error) {
	misdeeds, err := l.guarding(t.ID, dispatch).Violations(ctx, was)
	if err != nil || len(misdeeds) > 0 {
		return strings.Join(misdeeds, "\n"), err
	}
	err = l.proveWork(ctx, t)
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed.Why, nil
	}
	return "", err
}

func (l *Loop) proveWork(ctx context.Context, t taskfile.ListedTask) error {
	work, err := l.shown(ctx, t)
	if err != nil {
		return err
	}
	ev, err := l.proveCommand(ctx, t)
	if err != nil || ev.Outcome == validate.CouldNotCheck {
		return err
	}
	if err := verdict(ev); err != nil {
		return err
	}
	return l.integrity(ctx, t, work)
}

// proveCommand runs the task's command. What it leaves behind is not taken for the agent's work.
func (l *Loop) proveCommand(ctx context.Context, t taskfile.ListedTask) (ev validate.Evidence, err error) {
	if err := l.trace(ctx, t, true); err != nil {
		return ev, err
	}
	ev = l.check(ctx, t)
	l.say("check", "checked before the reply is taken: %s: %s (%.1f s)", t.Validation.Command, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
	if err := l.trace(context.WithoutCancel(ctx), t, false); err != nil {
		return ev, err
	}
	return ev, ctx.Err()
}

// trace notes what is there before a command runs, or what it left. Where nothing is noted of the task, it does nothing.
func (l *Loop) trace(ctx context.Context, t taskfile.ListedTask, begins bool) error {
	b, known, err := l.remembered(t)
	if err != nil || !known {
		return err
	}
	if err := b.Traces.End(ctx, l.Repo); err != nil {
		return err
	}
	if begins {
		if err := b.Traces.Begin(ctx, l.Repo); err != nil {
			return err
		}
	}
	return l.write(b)
}

// traces lists what checks of unfinished work left, as they left it.
func (l *Loop) traces(ctx context.Context, b before) ([]string, error) {
	if err := b.Traces.End(ctx, l.Repo); err != nil { // one that a kill cut off
		return nil, err
	}
	return b.Traces.Unchanged(l.Repo)
}
