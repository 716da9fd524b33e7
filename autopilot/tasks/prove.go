package tasks

import (
	"context"
	"errors"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// prove returns every problem of a task's work before its agent ends the dispatch, on the tree as it is, without a commit.
// Nothing rests on it: once the dispatch has ended the task is validated as ever.
func (a attempts) prove(ctx context.Context, t taskfile.ListedTask, dispatch string, was workspace.RepoSnapshot) (string, error) {
	if err := workspace.OwnFolders(a.repo); err != nil {
		return err.Error(), nil //nolint:nilerr // the agent's to mend
	}
	misdeeds, err := a.line.guarding(t.ID, dispatch).Violations(ctx, was)
	if err != nil || len(misdeeds) > 0 {
		return strings.Join(misdeeds, "\n"), err
	}
	a.report = atHandIn{a.report}
	work, err := a.shown(ctx, t)
	if err != nil {
		return whyFailed(err)
	}
	ev, err := a.proveCommand(ctx, t)
	if err != nil || ev.Outcome == validate.CouldNotCheck {
		return whyFailed(err)
	}
	failed, err := whyFailed(verdict(ev))
	if err != nil {
		return "", err
	}
	weaker, err := whyFailed(a.integrity(ctx, t, work, ev))
	return strings.TrimSpace(failed + "\n\n" + weaker), err
}

// atHandIn passes on all but findings: the end of the task reports those that are left.
type atHandIn struct{ journal.Reporter }

func (r atHandIn) Report(n journal.Note) {
	if n.Event != "finding" {
		r.Reporter.Report(n)
	}
}

// whyFailed takes the words out of a failure. Other errors say nothing of the work.
func whyFailed(err error) (string, error) {
	if failed, ok := errors.AsType[*failure](err); ok {
		return failed.Why, nil
	}
	return "", err
}

// proveCommand runs the task's command. What it leaves behind, or does to the branch, is not the agent's doing.
func (a attempts) proveCommand(ctx context.Context, t taskfile.ListedTask) (ev validate.Evidence, err error) {
	if err := a.notes.trace(ctx, t, true); err != nil {
		return ev, err
	}
	moved, err := a.commands.inPlace(ctx, t, "the validation", func() error {
		ev = a.commands.check(ctx, t)
		return nil
	})
	a.say("check", "checked before the reply is taken: %s: %s (%.1f s)", t.Validation.Command, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
	return ev, errors.Join(err, moved, a.notes.trace(context.WithoutCancel(ctx), t, false), ctx.Err())
}
