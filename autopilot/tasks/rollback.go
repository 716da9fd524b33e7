package tasks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
	"autopilot/sessions/taskfile"
)

// rollback ends attempts that are not taken: their work is kept and taken out of the working tree, and the list is told.
type rollback struct {
	progress
	notes    notes
	own      ownCommits
	commands commands
	repo     *git.Repo
	dir      string
	worker   string
	now      func() time.Time
}

// fail ends an attempt: cleanup, the work is kept under a ref and taken out of the tree, then the failure is recorded. A
// base that git does not know leaves nothing to start from: nothing is taken out, and it was the last attempt.
func (r rollback) fail(ctx context.Context, t taskfile.ListedTask, why *failure) error {
	ctx = context.WithoutCancel(ctx)
	known := baseOf(t) == "" || r.repo.History.Exists(ctx, baseOf(t))
	// A run after a kill ends the attempt, too, when nothing is left of the work.
	if err := r.notes.change(ctx, t, func(b *before) { b.Failing = why }); err != nil {
		return err
	}
	if err := r.cleanUp(ctx, t); err != nil {
		return err
	}
	kept := ""
	if known {
		var err error
		if kept, err = r.takeBack(ctx, t); err != nil {
			return err
		}
	}
	message := words.FirstLine(why.Why)
	if !known {
		message += fmt.Sprintf(" (started_at_commit %s is not in this repository: nothing was reset, and no attempt is left)", short(baseOf(t)))
	}
	err := r.file.Update(ctx, func(list *taskfile.TaskList) error {
		return list.Fail(t.ID, r.worker, why.Category, message, !known, r.now())
	})
	if taken(err) {
		return r.gone(ctx, t, &lostError{err}, kept)
	}
	if err != nil {
		return err
	}
	if err := r.keepFailure(t.ID, why.Why); err != nil {
		return err
	}
	r.tell(t, machine.TaskFailed, "%s failed: %s", t.ID, why.Why)
	return errors.Join(r.log("ERROR", t.ID, why.Category, message), r.notes.forget(ctx, t.ID))
}

// cleanUp runs what the task wants to be run after a failure. What it deletes of the work is kept.
func (r rollback) cleanUp(ctx context.Context, t taskfile.ListedTask) error {
	if t.OnFailure.Cleanup == nil || strings.TrimSpace(*t.OnFailure.Cleanup) == "" {
		return nil
	}
	var ev validate.Evidence
	err := r.commands.guarded(ctx, t, "on_failure.cleanup", func() error {
		ev = r.commands.shell(ctx, validate.Validation{Command: *t.OnFailure.Cleanup, Timeout: r.commands.settings.Cleanup, ByCode: true})
		return nil
	})
	var lost *lostError
	switch {
	case err == nil:
	case isFailure(err), errors.As(err, &lost): // the attempt has failed already
		r.say("finding", "%v", err)
	default:
		return err
	}
	if ev.Outcome != validate.CouldNotCheck && ev.Outcome != validate.TimedOut && ev.ExitCode == 0 {
		return nil
	}
	r.say("warning", "on_failure.cleanup of %s failed: %s", t.ID, reasonOf(ev))
	return r.log("WARN", t.ID, "", "on_failure.cleanup failed: "+reasonOf(ev))
}

// keepFailure keeps the whole of a failure for the next attempt: error_log has a line of it.
func (r rollback) keepFailure(id, text string) error {
	if err := plainfile.MakeFolder(filepath.Dir(r.failureFile(id))); err != nil {
		return err
	}
	return os.WriteFile(r.failureFile(id), []byte(text), plainfile.PrivateFile)
}

func (r rollback) failureFile(id string) string {
	return filepath.Join(r.dir, RefPart(id), "failure.txt")
}

// takeBack keeps the work of a task under a ref, and makes the tree what it was before. Commits since the base are taken
// back where all of them are the task's; others are somebody's, and stay. It returns where the work is kept, "" where
// there was none.
func (r rollback) takeBack(ctx context.Context, t taskfile.ListedTask) (string, error) {
	work, err := r.notes.work(ctx, t)
	if err != nil {
		return "", err
	}
	paths := git.Paths(work)
	own, foreign, err := r.own.commits(ctx, t)
	if err != nil {
		return "", err
	}
	kept := refOf(t.ID, fmt.Sprint(t.Attempts+1))
	base := "HEAD"
	why, err := r.own.stay(ctx, t, foreign)
	if err != nil {
		return "", err
	}
	if len(own) > 0 && why == "" {
		committed, err := r.rewind(ctx, t, kept)
		if err != nil {
			return "", err
		}
		base, paths = baseOf(t), append(paths, committed...)
	} else if len(own) > 0 {
		r.say("warning", "Commits of %s stay, since %s: %s", t.ID, why, strings.Join(shorts(own), ", "))
	}
	if len(paths) == 0 {
		return "", nil
	}
	slices.Sort(paths)
	saved, err := r.saveAndReset(ctx, base, slices.Compact(paths), kept)
	if err != nil {
		return "", fmt.Errorf("taking the work of %s out of the tree: %w", t.ID, err)
	}
	message := "reset to " + cmp.Or(short(baseOf(t)), "HEAD")
	if saved.Ref != "" {
		message += "; the work is kept under " + saved.Ref
	}
	return saved.Ref, r.log("ROLLBACK", t.ID, "", message)
}

// saveAndReset keeps files under a ref and makes them what they are at a commit. What is too large to be kept is moved
// aside.
func (r rollback) saveAndReset(ctx context.Context, base string, paths []string, kept string) (git.Saved, error) {
	saved, err := r.repo.Files.Save(ctx, kept, "Before a reset to "+base, paths)
	if err != nil {
		return saved, err
	}
	for _, f := range saved.LeftOut {
		aside, err := r.repo.Files.MoveAside(f.Path)
		if err != nil {
			return saved, err
		}
		r.say("warning", "%s is too large to be kept under a ref: it is now %s.", f.Path, aside)
	}
	_, err = r.repo.Files.Reset(ctx, base, paths, "")
	return saved, err
}

// giveBack takes the work out of the tree and lets the task go, with no attempt spent.
func (r rollback) giveBack(ctx context.Context, t taskfile.ListedTask) error {
	// A tree without its work would be taken for an attempt that came to nothing.
	err := r.notes.change(ctx, t, func(b *before) { b.Returning = true })
	if err != nil {
		return err
	}
	if _, err := r.takeBack(ctx, t); err != nil {
		return err
	}
	err = r.file.Update(ctx, func(list *taskfile.TaskList) error { return list.GiveBack(t.ID, r.worker) })
	if err != nil && !taken(err) {
		return err
	}
	return r.notes.forget(ctx, t.ID)
}

// leave lets a task go that was called off before anything was done; else the next run takes up what is there now.
func (r rollback) leave(ctx context.Context, t taskfile.ListedTask) error {
	work, err := r.notes.work(ctx, t)
	if err != nil {
		return err
	}
	err = r.notes.change(ctx, t, func(b *before) { b.Stopped, b.Left = true, git.Paths(work) })
	if err != nil || len(work) > 0 {
		return err
	}
	if made, err := r.own.made(ctx, t); err != nil || len(made) > 0 {
		return err
	}
	list, err := r.file.Read()
	if err != nil {
		return err
	}
	if now := list.Find(t.ID); now != nil && len(now.Checkpoints) > 0 {
		return nil
	}
	return r.giveBack(ctx, t)
}

// abandon takes the work of a task out of the tree that is no longer this worker's.
func (r rollback) abandon(ctx context.Context, t taskfile.ListedTask, why *lostError) error {
	ctx = context.WithoutCancel(ctx)
	kept, err := r.takeBack(ctx, t)
	if err != nil {
		return err
	}
	return r.gone(ctx, t, why, kept)
}

// gone tells that a task is no longer this worker's.
func (r rollback) gone(ctx context.Context, t taskfile.ListedTask, why *lostError, kept string) error {
	text := why.Error()
	if kept != "" {
		text += "; what was done is kept under " + kept
	}
	r.say("warning", "%s: %s", t.ID, text)
	return errors.Join(r.log("WARN", t.ID, "", text), r.notes.forget(ctx, t.ID))
}

// rewind takes the branch back to the task's base; the files stay. It lists what the commits had changed.
func (r rollback) rewind(ctx context.Context, t taskfile.ListedTask, kept string) ([]string, error) {
	position, err := r.repo.Position(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := r.repo.History.Differing(ctx, baseOf(t), position.Head)
	if err != nil {
		return nil, err
	}
	base := position
	base.Head = baseOf(t)
	if err := backTo(ctx, r.repo, base, position, kept+"-commits-"+short(position.Head)); err != nil {
		return nil, fmt.Errorf("taking the commits of %s back: %w", t.ID, err)
	}
	b, _, err := r.notes.remembered(ctx, t)
	return slices.DeleteFunc(committed, func(p string) bool { return slices.Contains(b.Users, p) }), err
}
