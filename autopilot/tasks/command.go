package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/readiness"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/sessions/taskfile"
)

// commands are those that belong to tasks, in one working tree.
type commands struct {
	progress
	notes    notes
	list     listGuard
	repo     *git.Repo
	checks   validate.Runner
	live     io.Writer
	newID    func() string
	root     string
	settings Settings
}

// guarded runs a command of a task, and puts back what it took: the branch and its commits, the user's files, the list.
// A failure is what a command of a task has no reason to do.
func (c commands) guarded(ctx context.Context, t taskfile.ListedTask, who string, run func() error) error {
	list, err := c.list.keepList(ctx)
	if err != nil {
		return err
	}
	moved, err := c.inPlace(ctx, t, who, run)
	if err = errors.Join(err, c.list.sameList(context.WithoutCancel(ctx), t, list, who)); err != nil {
		return err
	}
	return moved
}

// inPlace guards the working tree while a command runs; moved is the error of one that left the branch.
func (c commands) inPlace(ctx context.Context, t taskfile.ListedTask, who string, run func() error) (moved, err error) {
	was, err := c.footing(ctx, t)
	if err != nil {
		return nil, err
	}
	ran := run()
	ctx = context.WithoutCancel(ctx)
	moved, err = c.samePlace(ctx, t, was, who)
	if err == nil {
		err = c.sameWork(ctx, was, who)
	}
	if err == nil {
		err = c.restoreAfter(ctx, t, was, who)
	}
	return moved, errors.Join(ran, err)
}

// footing is what a command has to leave as it is.
type footing struct {
	position git.Position
	work     git.Saved

	deleted, altered []string // the user's own files that are not as they were at the claim
}

func (c commands) footing(ctx context.Context, t taskfile.ListedTask) (was footing, err error) {
	if was.position, err = c.repo.Position(ctx); err != nil {
		return was, err
	}
	b, _, err := c.notes.remembered(ctx, t)
	if err == nil {
		was.deleted, was.altered, err = c.repo.Files.Altered(b.Saved.Files)
	}
	if err != nil {
		return was, err
	}
	work, err := c.notes.work(ctx, t)
	if err != nil || len(work) == 0 {
		return was, err
	}
	was.work, err = c.repo.Files.Save(ctx, refOf(t.ID, fmt.Sprint(t.Attempts+1)+"-unchecked"), "before a command of the task", git.Paths(work))
	if err != nil {
		return was, fmt.Errorf("saving the work of %s before a command of it: %w", t.ID, err)
	}
	return was, nil
}

// samePlace puts branch and commits back that a command left, and says so as a failure.
func (c commands) samePlace(ctx context.Context, t taskfile.ListedTask, was footing, who string) (moved error, err error) {
	now, err := c.repo.Position(ctx)
	if err != nil || now == was.position {
		return nil, err
	}
	if err := backTo(ctx, c.repo, was.position, now, refOf(t.ID, "moved", short(now.Head)+"-"+c.newID())); err != nil {
		return nil, fmt.Errorf("putting the branch back after %s: %w", who, err)
	}
	if err := c.sameCommitted(ctx, t, was, now); err != nil {
		return nil, fmt.Errorf("putting the files back after %s: %w", who, err)
	}
	return &failure{taskfile.CategoryTaskExec, fmt.Sprintf("%s went from %s to %s; that was put back", who, whereabouts(was.position), whereabouts(now))}, nil
}

// sameCommitted makes what another commit put into the tree what it is at the task's; the work, and what is the user's,
// is looked after elsewhere.
func (c commands) sameCommitted(ctx context.Context, t taskfile.ListedTask, was footing, now git.Position) error {
	if was.position.Head == now.Head || was.position.Head == "" || now.Head == "" {
		return nil
	}
	paths, err := c.repo.History.Differing(ctx, was.position.Head, now.Head)
	if err != nil || len(paths) == 0 {
		return err
	}
	if err := c.repo.Index.AsHead(ctx, paths); err != nil {
		return err
	}
	b, _, err := c.notes.remembered(ctx, t)
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool {
		return slices.Contains(b.Users, p) || slices.ContainsFunc(was.work.All(), func(f git.File) bool { return f.Path == p })
	})
	if len(paths) == 0 {
		return nil
	}
	_, err = c.repo.Files.Reset(ctx, "HEAD", paths, "")
	return err
}

func whereabouts(p git.Position) string {
	if p.Branch == "" {
		return "commit " + short(p.Head)
	}
	return fmt.Sprintf("branch %s (%s)", p.Branch, short(p.Head))
}

// sameWork tells where the work is kept that a command deleted or threw away; of what it let be, nothing has to be kept.
func (c commands) sameWork(ctx context.Context, was footing, who string) error {
	if was.work.Ref == "" {
		return nil
	}
	deleted, altered, err := c.repo.Files.Altered(was.work.Files)
	if err != nil {
		return err
	}
	if len(altered) > 0 {
		status, err := c.repo.Tree.Status(ctx)
		if err != nil {
			return err
		}
		left := git.Paths(status.Dirt)
		altered = slices.DeleteFunc(altered, func(p string) bool { return slices.Contains(left, p) })
	}
	if lost := append(deleted, altered...); len(lost) > 0 {
		c.say("finding", "%s took away work of the task (%s); it is kept under %s", who, firstPaths(lost), was.work.Ref)
		return nil
	}
	return c.repo.Refs.Delete(ctx, was.work.Ref)
}

// maxPaths is how many paths are told.
const maxPaths = 5

func firstPaths(paths []string) string {
	if n := len(paths) - maxPaths; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(paths[:maxPaths], ", "), n)
	}
	return strings.Join(paths, ", ")
}

// restoreAfter brings back what a command took of the user's files.
func (c commands) restoreAfter(ctx context.Context, t taskfile.ListedTask, was footing, who string) error {
	b, _, err := c.notes.remembered(ctx, t)
	if err != nil || len(b.Saved.Files) == 0 {
		return err
	}
	deleted, altered, err := c.repo.Files.Altered(b.Saved.Files)
	deleted = slices.DeleteFunc(deleted, func(p string) bool { return slices.Contains(was.deleted, p) })
	altered = slices.DeleteFunc(altered, func(p string) bool { return slices.Contains(was.altered, p) })
	for _, f := range (workspace.RepoGuard{Repo: c.repo, Who: who}).RestoreUserFiles(ctx, b.Saved, deleted, altered) {
		c.say("finding", "%s", workspace.OneLine(f))
	}
	return err
}

// validation is a task's command, with how long it may take.
func (c commands) validation(t taskfile.ListedTask) validate.Validation {
	v := validate.Validation{Command: t.Validation.Command, Timeout: c.settings.Validation}
	if n := t.Validation.TimeoutSeconds; n > 0 {
		v.Timeout = time.Duration(n) * time.Second
	}
	return v
}

// makeReady runs the init script, where there is one; failing, it runs once more, and then the run ends.
func (c commands) makeReady(ctx context.Context) error {
	script := filepath.Join(c.root, InitScript)
	if _, err := os.Stat(script); err != nil {
		return nil //nolint:nilerr // no script, nothing to run
	}
	if err := readiness.IsScript(script, InitScript, "autopilot tasks run"); err != nil {
		return err
	}
	var ev validate.Evidence
	for range 2 {
		if ev = c.shell(ctx, validate.Validation{Command: worktree.ScriptCommand(script), Timeout: c.settings.Validation, ByCode: true}); ev.Outcome == validate.Passed || ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.log("ERROR", "", taskfile.CategoryEnvSetup, InitScript+" failed: "+reasonOf(ev)); err != nil {
			return err
		}
	}
	return &NotReadyError{
		What: fmt.Sprintf("%s failed twice (%s), so the working tree is not ready", InitScript, reasonOf(ev)), Output: lastLines(ev.Output),
		Remedy: "Fix the script, or remove it, then run the same command again: autopilot tasks run",
	}
}

// check runs a task's validation in the working tree.
func (c commands) check(ctx context.Context, t taskfile.ListedTask) validate.Evidence {
	v := c.validation(t)
	ev := c.shell(ctx, v)
	if ev.Outcome == validate.TimedOut {
		ev.Reason = fmt.Sprintf("it took longer than %s; make it faster, or raise validation.timeout_seconds of %s in harness-tasks.json", cmp.Or(v.Timeout, validate.DefaultTimeout), t.ID)
	}
	return ev
}

// shell runs a command in the working tree.
func (c commands) shell(ctx context.Context, v validate.Validation) validate.Evidence {
	runner := c.checks
	runner.Live = c.live
	v.Source = "task file"
	return runner.Run(ctx, c.repo.Root(), v)
}

// backTo puts the branch back to where it was; what is there now is kept under a ref.
func backTo(ctx context.Context, repo *git.Repo, was, now git.Position, kept string) error {
	deviation := refs.Deviation{Now: now}
	if now.Head != was.Head && was.Branch != "" {
		deviation.Refs = []refs.Moved{{Name: "refs/heads/" + was.Branch, Before: was.Head, After: now.Head}}
	}
	return refs.Of(repo).PutBack(ctx, refs.Guard{Branch: was.Branch, Head: was.Head, Operation: was.Operation}, deviation, kept)
}
