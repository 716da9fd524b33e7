package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/commits"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// failure is why an attempt is not taken, with the category of the log.
type failure struct {
	Category string `json:"category"`
	Why      string `json:"why"`
}

func (f *failure) Error() string { return f.Why }

// attempt has a task done that is claimed: dispatch, validation, and either a commit or everything as it was.
func (l *Loop) attempt(ctx context.Context, t taskfile.ListedTask) error {
	err := l.dispatch(ctx, t)
	if err == nil {
		err = l.conclude(ctx, t)
	}
	return l.settle(ctx, t, err)
}

// settle records how an attempt ended. What an interruption leaves is for the next run to take up.
func (l *Loop) settle(ctx context.Context, t taskfile.ListedTask, err error) error {
	var failed *failure
	var lost *lostError
	var conflict *conflictError
	var limit *budget.LimitError
	var credentials *halt.CredentialsError
	switch {
	case errors.As(err, &lost):
		return l.abandon(ctx, t, lost)
	case errors.As(err, &failed):
		return l.fail(ctx, t, failed)
	case errors.As(err, &conflict):
		l.say("warning", "%s is done again: %v.", t.ID, conflict)
		return errors.Join(l.log("WARN", t.ID, "", conflict.Error()), l.giveBack(context.WithoutCancel(ctx), t))
	case errors.As(err, &limit), errors.As(err, &credentials):
		return errors.Join(err, l.giveBack(context.WithoutCancel(ctx), t))
	case ctx.Err() != nil:
		return errors.Join(err, l.leave(context.WithoutCancel(ctx), t))
	}
	return err
}

// conclude completes a task whose work is in the tree, or says why not.
func (l *Loop) conclude(ctx context.Context, t taskfile.ListedTask) error {
	for range maxAgain {
		work, err := l.shown(ctx, t)
		if err != nil {
			return err
		}
		if err := l.checking(ctx, t, work); err != nil {
			return err
		}
		if err := l.validate(ctx, t, work); err != nil {
			return err
		}
		again, err := l.commit(ctx, t)
		if err != nil || !again {
			return err
		}
	}
	return &failure{taskfile.CategoryTaskExec, "commit hooks, or other workers, change the files each time, so that what is committed was never validated"}
}

// shown lists the uncommitted work of a task. Where that and its commits come to nothing, there is a failure.
func (l *Loop) shown(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	work, err := l.work(ctx, t)
	if err != nil {
		return nil, err
	}
	made, err := l.made(ctx, t)
	if err != nil {
		return nil, err
	}
	undone, err := l.undone(ctx, t, work)
	if err == nil && (len(work)+len(made) == 0 || undone) {
		err = l.unchanged()
	}
	return work, err
}

// unchanged is the failure of an attempt that changed nothing. Changes in a submodule are not seen, which is said.
func (l *Loop) unchanged() *failure {
	why := "nothing was changed"
	if _, err := os.Stat(filepath.Join(l.Repo.Root(), ".gitmodules")); err == nil {
		why += " (changes inside a submodule do not count: they are neither committed nor taken back)"
	}
	return &failure{taskfile.CategoryTaskExec, why}
}

// maxAgain is how often a task is validated again because hooks, or other workers' commits, changed what was validated.
const maxAgain = 20

// validate runs the task's command and looks for tests and checks that lost their force.
func (l *Loop) validate(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	ev, err := l.runValidation(ctx, t)
	if err != nil {
		return err
	}
	if err := verdict(ev); err != nil {
		return err
	}
	return l.integrity(ctx, t, work)
}

// runValidation runs a task's command. One that cannot run here gets the init script once more; then the run ends with
// the task in progress, so that the next one validates what is there.
func (l *Loop) runValidation(ctx context.Context, t taskfile.ListedTask) (validate.Evidence, error) {
	for again := false; ; again = true {
		var ev validate.Evidence
		if err := l.guarded(ctx, t, "the validation", func() error {
			return l.hold(ctx, t, func(ctx context.Context) error {
				ev = l.check(ctx, t)
				l.spend(t.ID, machine.Usage{}, ev.Duration)
				return nil
			})
		}); err != nil {
			return ev, err
		}
		l.say("check", "check: %s: %s (%.1f s)", t.Validation.Command, strings.ReplaceAll(string(ev.Outcome), "-", " "), ev.Duration.Seconds())
		if ctx.Err() != nil || ev.Outcome != validate.CouldNotCheck {
			return ev, ctx.Err()
		}
		if err := l.log("ERROR", t.ID, taskfile.CategoryEnvSetup, reasonOf(ev)); err != nil {
			return ev, err
		}
		if again {
			return ev, &NotReadyError{
				What: fmt.Sprintf("the validation of %s cannot run here: %s", t.ID, reasonOf(ev)), Output: lastLines(ev.Output),
				Remedy: "Install what is missing, then run the same command again: the work is kept, and validated first.",
			}
		}
		if err := l.makeReady(ctx); err != nil {
			return ev, err
		}
	}
}

// timeFor is how long a task's validation may take.
func (l *Loop) timeFor(t taskfile.ListedTask) time.Duration {
	if n := t.Validation.TimeoutSeconds; n > 0 {
		return time.Duration(n) * time.Second
	}
	return l.Settings.Validation
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
func (l *Loop) commit(ctx context.Context, t taskfile.ListedTask) (again bool, err error) {
	work, err := l.work(ctx, t)
	if err != nil {
		return false, err
	}
	list, err := l.keepList(ctx)
	if err != nil {
		return false, err
	}
	made, err := l.Repo.Commits.Make(ctx, git.Commit{
		Paths: git.Paths(work), Subject: fmt.Sprintf("[autopilot][%s] %s", t.ID, t.Title), HookTimeout: l.Settings.Hook,
		Trailers: [][2]string{{"Autopilot-Task", t.ID}, {git.KeyTrailer, l.key(t)}},
	})
	var hook *git.HookError
	var nothing *git.NothingToCommitError
	var altered *git.AlteredError
	same := l.sameList(context.WithoutCancel(ctx), t, list, "a hook of git")
	switch {
	case same != nil:
		return false, same
	case errors.As(err, &hook):
		return false, &failure{taskfile.CategoryTaskExec, l.Mask.Replace(hook.Error())}
	case errors.As(err, &altered):
		return false, &failure{taskfile.CategoryTaskExec, altered.Error()}
	case errors.As(err, &nothing):
		if made.SHA, err = l.madeBefore(ctx, t); err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	}
	if made.Instead != "" {
		l.say("warning", "%s", commits.Instead(made.Instead))
	}
	l.tellTakenOut(made)
	if len(made.HookChanged) > 0 {
		return true, l.hooked(t, made)
	}
	if again, err := l.bring(ctx, t); err != nil || again {
		return again, err
	}
	return false, l.complete(ctx, t, made.SHA)
}

// hooked tells which of the user's files hooks of git changed.
func (l *Loop) hooked(t taskfile.ListedTask, made git.Committed) error {
	b, _, err := l.remembered(t)
	theirs := slices.DeleteFunc(slices.Clone(made.HookChanged), func(p string) bool { return !slices.Contains(b.Users, p) })
	if len(theirs) > 0 {
		l.say("finding", "a hook of git changed your files at commit %s of %s: %s", short(made.SHA), t.ID, firstPaths(theirs))
	}
	return err
}

// tellTakenOut says once of each file that a hook put it into a commit that it is no part of.
func (l *Loop) tellTakenOut(made git.Committed) {
	untold := slices.DeleteFunc(slices.Clone(made.TakenOut), func(path string) bool { return slices.Contains(l.takenOut, path) })
	if len(untold) > 0 {
		l.takenOut = append(l.takenOut, untold...)
		l.say("warning", "%s", commits.TakenOut(made.Hook, untold))
	}
}

// madeBefore is the commit that holds the task's work already: of a run that was killed then, or a person's own.
func (l *Loop) madeBefore(ctx context.Context, t taskfile.ListedTask) (string, error) {
	made, err := l.made(ctx, t)
	if err == nil && len(made) == 0 {
		err = l.unchanged()
	}
	if err != nil {
		return "", err
	}
	return made[0].SHA, nil
}

// complete records that a task is done.
func (l *Loop) complete(ctx context.Context, t taskfile.ListedTask, commit string) error {
	err := l.File.Update(context.WithoutCancel(ctx), func(list *taskfile.TaskList) error {
		return list.Complete(t.ID, l.Worker, commit, l.Now())
	})
	if taken(err) {
		return &lostError{err}
	}
	if err != nil {
		return err
	}
	l.tell(t, machine.TaskCompleted, "%s completed (commit %s)", t.ID, short(commit))
	return errors.Join(l.log("Completed", t.ID, "", fmt.Sprintf("(commit %s)", short(commit))), l.forget(t.ID))
}

// lostError says that the task is another worker's meanwhile, or was given up for this one.
type lostError struct{ err error }

func (e *lostError) Error() string { return "the task is no longer this worker's: " + e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

func taken(err error) bool {
	return errors.Is(err, taskfile.ErrNotYours) || errors.Is(err, taskfile.ErrNotRunning) || errors.Is(err, taskfile.ErrNoTask)
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
