package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/commits"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// attempts has tasks done that are claimed.
type attempts struct {
	progress
	notes    notes
	own      ownCommits
	line     sharedLine
	claims   claims
	list     listGuard
	commands commands
	old      checks.Proofs
	rollback rollback
	spending spending
	takenOut *[]string // files of which it was said that a hook put them into a commit
	repo     *git.Repo
	persona  personas.Persona
	backends dispatch.Backends
	mask     *personas.Mask
	newID    func() string
	lockFile *os.File
	dir      string
	root     string
	settings Settings
}

// attempt has a task done that is claimed: dispatch, validation, and either a commit or everything as it was.
func (a attempts) attempt(ctx context.Context, t taskfile.ListedTask) error {
	err := a.dispatch(ctx, t)
	if err == nil {
		err = a.conclude(ctx, t)
	}
	return a.settle(ctx, t, err)
}

// settle records how an attempt ended. What an interruption leaves is for the next run to take up.
func (a attempts) settle(ctx context.Context, t taskfile.ListedTask, err error) error {
	var failed *failure
	var lost *lostError
	var conflict *conflictError
	var limit *budget.LimitError
	var credentials *halt.CredentialsError
	switch {
	case errors.As(err, &lost):
		return a.rollback.abandon(ctx, t, lost)
	case errors.As(err, &failed):
		return a.rollback.fail(ctx, t, failed)
	case errors.As(err, &conflict):
		a.say("warning", "%s is done again: %v.", t.ID, conflict)
		return errors.Join(a.log("WARN", t.ID, "", conflict.Error()), a.rollback.giveBack(context.WithoutCancel(ctx), t))
	case errors.As(err, &limit), errors.As(err, &credentials):
		return errors.Join(err, a.rollback.giveBack(context.WithoutCancel(ctx), t))
	case ctx.Err() != nil:
		return errors.Join(err, a.rollback.leave(context.WithoutCancel(ctx), t))
	}
	return err
}

// conclude completes a task whose work is in the tree, or says why not.
func (a attempts) conclude(ctx context.Context, t taskfile.ListedTask) error {
	for range maxAgain {
		work, err := a.shown(ctx, t)
		if err != nil {
			return err
		}
		if err := a.notes.checking(ctx, t, work); err != nil {
			return err
		}
		if err := a.validate(ctx, t, work); err != nil {
			return err
		}
		again, err := a.commit(ctx, t)
		if err != nil || !again {
			return err
		}
	}
	return &failure{taskfile.CategoryTaskExec, "commit hooks, or other workers, change the files each time, so that what is committed was never validated"}
}

// shown lists the uncommitted work of a task. Where that and its commits come to nothing, there is a failure.
func (a attempts) shown(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	work, err := a.notes.work(ctx, t)
	if err != nil {
		return nil, err
	}
	made, err := a.own.made(ctx, t)
	if err != nil {
		return nil, err
	}
	undone, err := a.own.undone(ctx, t, work)
	if err == nil && (len(work)+len(made) == 0 || undone) {
		err = a.unchanged()
	}
	return work, err
}

// unchanged is the failure of an attempt that changed nothing. Changes in a submodule are not seen, which is said.
func (a attempts) unchanged() *failure {
	why := "nothing was changed"
	if _, err := os.Stat(filepath.Join(a.repo.Root(), ".gitmodules")); err == nil {
		why += " (changes inside a submodule do not count: they are neither committed nor taken back)"
	}
	return &failure{taskfile.CategoryTaskExec, why}
}

// maxAgain is how often a task is validated again because hooks, or other workers' commits, changed what was validated.
const maxAgain = 20

// validate runs the task's command and looks for tests and checks that lost their force, with the old tests as well.
func (a attempts) validate(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	ev, err := a.runValidation(ctx, t)
	if err != nil {
		return err
	}
	if err := verdict(ev); err != nil {
		return err
	}
	return a.claims.hold(ctx, t, func(ctx context.Context) error { return a.integrity(ctx, t, work, ev) })
}

// runValidation runs a task's command. One that cannot run here gets the init script once more; then the run ends with
// the task in progress, so that the next one validates what is there.
func (a attempts) runValidation(ctx context.Context, t taskfile.ListedTask) (validate.Evidence, error) {
	for again := false; ; again = true {
		var ev validate.Evidence
		if err := a.commands.guarded(ctx, t, "the validation", func() error {
			return a.claims.hold(ctx, t, func(ctx context.Context) error {
				ev = a.commands.check(ctx, t)
				a.spending.spend(t.ID, machine.Usage{}, ev.Duration)
				return nil
			})
		}); err != nil {
			return ev, err
		}
		a.say("check", "check: %s: %s (%.1f s)", t.Validation.Command, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
		if ctx.Err() != nil || ev.Outcome != validate.CouldNotCheck {
			return ev, ctx.Err()
		}
		if err := a.log("ERROR", t.ID, taskfile.CategoryEnvSetup, reasonOf(ev)); err != nil {
			return ev, err
		}
		if again {
			return ev, &NotReadyError{
				What: fmt.Sprintf("the validation of %s cannot run here: %s", t.ID, reasonOf(ev)), Output: lastLines(ev.Output),
				Remedy: "Install what is missing, then run the same command again: the work is kept, and validated first.",
			}
		}
		if err := a.commands.makeReady(ctx); err != nil {
			return ev, err
		}
	}
}

// verdict is the failure that a validation shows; nil is a pass.
func verdict(ev validate.Evidence) error {
	switch ev.Outcome {
	case validate.Passed:
		return nil
	case validate.TimedOut:
		return &failure{taskfile.CategoryTimeout, ev.Command + ": " + ev.Reason}
	case validate.NothingToRun:
		return &failure{taskfile.CategoryTestFail, ev.Command + ": it ran no tests"}
	}
	why := fmt.Sprintf("exit code %d", ev.ExitCode)
	if ev.Outcome == validate.Failed {
		why = reasonOf(ev)
	}
	return &failure{taskfile.CategoryTestFail, strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", ev.Command, why, lastLines(ev.Output)))}
}

// commit commits the task's work and completes it. It says true where hooks changed files, so that they have to be
// validated again.
func (a attempts) commit(ctx context.Context, t taskfile.ListedTask) (again bool, err error) {
	work, err := a.notes.work(ctx, t)
	if err != nil {
		return false, err
	}
	b, _, err := a.notes.remembered(ctx, t)
	if err != nil {
		return false, err
	}
	list, err := a.list.keepList(ctx)
	if err != nil {
		return false, err
	}
	made, err := a.repo.Commits.Make(ctx, git.Commit{
		Paths: git.Paths(work), Subject: fmt.Sprintf("[autopilot][%s] %s", t.ID, t.Title), HookTimeout: a.settings.Hook,
		Body:     commits.Body(b.Summary, t.Attempts+1),
		Trailers: [][2]string{{"Autopilot-Task", t.ID}, {git.KeyTrailer, keyOf(t)}},
	})
	var hook *git.HookError
	var nothing *git.NothingToCommitError
	var altered *git.AlteredError
	same := a.list.sameList(context.WithoutCancel(ctx), t, list, "a hook of git")
	switch {
	case same != nil:
		return false, same
	case errors.As(err, &hook):
		return false, &failure{taskfile.CategoryTaskExec, a.mask.Replace(hook.Error())}
	case errors.As(err, &altered):
		return false, &failure{taskfile.CategoryTaskExec, altered.Error()}
	case errors.As(err, &nothing):
		if made.SHA, err = a.madeBefore(ctx, t); err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	}
	a.tellTakenOut(made)
	if len(made.HookChanged) > 0 {
		return true, a.hooked(ctx, t, made)
	}
	if again, err := a.bring(ctx, t); err != nil || again {
		return again, err
	}
	return false, a.complete(ctx, t, made.SHA)
}

// hooked tells which of the user's files hooks of git changed.
func (a attempts) hooked(ctx context.Context, t taskfile.ListedTask, made git.Committed) error {
	b, _, err := a.notes.remembered(ctx, t)
	theirs := slices.DeleteFunc(slices.Clone(made.HookChanged), func(p string) bool { return !slices.Contains(b.Users, p) })
	if len(theirs) > 0 {
		a.say("finding", "a hook of git changed your files at commit %s of %s: %s", short(made.SHA), t.ID, firstPaths(theirs))
	}
	return err
}

// tellTakenOut says once of each file that a hook put it into a commit that it is no part of.
func (a attempts) tellTakenOut(made git.Committed) {
	untold := slices.DeleteFunc(slices.Clone(made.TakenOut), func(path string) bool { return slices.Contains(*a.takenOut, path) })
	if len(untold) > 0 {
		*a.takenOut = append(*a.takenOut, untold...)
		a.say("warning", "%s", commits.TakenOut(made.Hook, untold))
	}
}

// madeBefore is the commit that holds the task's work already: of a run that was killed then, or a person's own.
func (a attempts) madeBefore(ctx context.Context, t taskfile.ListedTask) (string, error) {
	made, err := a.own.made(ctx, t)
	if err == nil && len(made) == 0 {
		err = a.unchanged()
	}
	if err != nil {
		return "", err
	}
	return made[0].SHA, nil
}

// complete records that a task is done.
func (a attempts) complete(ctx context.Context, t taskfile.ListedTask, commit string) error {
	err := a.file.Update(context.WithoutCancel(ctx), func(list *taskfile.TaskList) error {
		return list.Complete(t.ID, a.claims.worker, commit, a.claims.now())
	})
	if taken(err) {
		return &lostError{err}
	}
	if err != nil {
		return err
	}
	a.tell(t, machine.TaskCompleted, "%s completed (commit %s)", t.ID, short(commit))
	return errors.Join(a.log("Completed", t.ID, "", fmt.Sprintf("(commit %s)", short(commit))), a.notes.forget(ctx, t.ID))
}

// replied is the failure that the end of a dispatch is; nil is a reply that says done.
func replied(out personas.Outcome, backend, remedy string) error {
	switch {
	case out.Kind == personas.Auth:
		return dispatch.Refused(out, backend, remedy)
	case out.Kind == personas.TimedOut:
		return &failure{taskfile.CategoryTimeout, "the agent took too long: " + out.Detail}
	case out.Reply == nil:
		return &failure{taskfile.CategoryTaskExec, strings.ReplaceAll(string(out.Kind), "_", " ") + ": " + out.Detail}
	case out.Reply.Status != personas.StatusDone:
		return &failure{taskfile.CategoryTaskExec, strings.TrimSpace(fmt.Sprintf("the agent says %s: %s %s", out.Reply.Status, out.Reply.Summary, out.Reply.Blocker))}
	}
	return nil
}
