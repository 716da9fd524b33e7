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

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/sessions/taskfile"
)

// fail ends an attempt: cleanup, the work is kept under a ref and taken out of the tree, then the failure is recorded. A
// base that git does not know leaves nothing to start from: nothing is taken out, and it was the last attempt.
func (l *Loop) fail(ctx context.Context, t taskfile.ListedTask, why *failure) error {
	ctx = context.WithoutCancel(ctx)
	known := baseOf(t) == "" || l.Repo.History.Exists(ctx, baseOf(t))
	if err := l.failing(t, why); err != nil {
		return err
	}
	if err := l.cleanUp(ctx, t); err != nil {
		return err
	}
	kept := ""
	if known {
		var err error
		if kept, err = l.takeBack(ctx, t); err != nil {
			return err
		}
	}
	message := firstLine(why.Why)
	if !known {
		message += fmt.Sprintf(" (started_at_commit %s is not in this repository: nothing was reset, and no attempt is left)", short(baseOf(t)))
	}
	err := l.File.Update(ctx, func(list *taskfile.TaskList) error {
		return list.Fail(t.ID, l.Worker, why.Category, message, !known, l.Now())
	})
	if taken(err) {
		return l.gone(t, &lostError{err}, kept)
	}
	if err != nil {
		return err
	}
	if err := l.keepFailure(t.ID, why.Why); err != nil {
		return err
	}
	l.tell(t, machine.TaskFailed, "%s failed: %s", t.ID, why.Why)
	return errors.Join(l.log("ERROR", t.ID, why.Category, message), l.forget(t.ID))
}

// failing notes that the attempt is being ended: a run after a kill ends it, too, when nothing is left of the work.
func (l *Loop) failing(t taskfile.ListedTask, why *failure) error {
	b, known, err := l.remembered(t)
	if err != nil || !known {
		return err
	}
	b.Failing = why
	return l.write(b)
}

// cleanUp runs what the task wants to be run after a failure. What it deletes of the work is kept.
func (l *Loop) cleanUp(ctx context.Context, t taskfile.ListedTask) error {
	if t.OnFailure.Cleanup == nil || strings.TrimSpace(*t.OnFailure.Cleanup) == "" {
		return nil
	}
	var ev validate.Evidence
	err := l.guarded(ctx, t, "on_failure.cleanup", func() error {
		ev = l.shell(ctx, validate.Validation{Command: *t.OnFailure.Cleanup, Timeout: l.Settings.Cleanup, ByCode: true})
		return nil
	})
	var lost *lostError
	switch {
	case err == nil:
	case isFailure(err), errors.As(err, &lost): // the attempt has failed already
		l.say("finding", "%v", err)
	default:
		return err
	}
	if ev.Outcome != validate.CouldNotCheck && ev.Outcome != validate.TimedOut && ev.ExitCode == 0 {
		return nil
	}
	l.say("warning", "on_failure.cleanup of %s failed: %s", t.ID, reasonOf(ev))
	return l.log("WARN", t.ID, "", "on_failure.cleanup failed: "+reasonOf(ev))
}

// keepFailure keeps the whole of a failure for the next attempt: error_log has a line of it.
func (l *Loop) keepFailure(id, text string) error {
	if err := os.MkdirAll(filepath.Dir(l.failureFile(id)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(l.failureFile(id), []byte(text), 0o644)
}

func (l *Loop) failureFile(id string) string { return filepath.Join(l.Dir, RefPart(id), "failure.txt") }

// takeBack keeps the work of a task under a ref, and makes the tree what it was before. Commits since the base are taken
// back where all of them are the task's; others are somebody's, and stay. It returns where the work is kept, "" where
// there was none.
func (l *Loop) takeBack(ctx context.Context, t taskfile.ListedTask) (string, error) {
	work, err := l.work(ctx, t)
	if err != nil {
		return "", err
	}
	paths := git.Paths(work)
	own, foreign, err := l.commits(ctx, t)
	if err != nil {
		return "", err
	}
	kept := l.ref(t.ID, fmt.Sprint(t.Attempts+1))
	base := "HEAD"
	why, err := l.stay(ctx, t, foreign)
	if err != nil {
		return "", err
	}
	if len(own) > 0 && why == "" {
		committed, err := l.rewind(ctx, t, kept)
		if err != nil {
			return "", err
		}
		base, paths = baseOf(t), append(paths, committed...)
	} else if len(own) > 0 {
		l.say("warning", "Commits of %s stay, since %s: %s", t.ID, why, strings.Join(shorts(own), ", "))
	}
	if len(paths) == 0 {
		return "", nil
	}
	slices.Sort(paths)
	saved, err := l.saveAndReset(ctx, base, slices.Compact(paths), kept)
	if err != nil {
		return "", fmt.Errorf("taking the work of %s out of the tree: %w", t.ID, err)
	}
	message := "reset to " + cmp.Or(short(baseOf(t)), "HEAD")
	if saved.Ref != "" {
		message += "; the work is kept under " + saved.Ref
	}
	return saved.Ref, l.log("ROLLBACK", t.ID, "", message)
}

// saveAndReset keeps files under a ref and makes them what they are at a commit. What is too large to be kept is moved
// aside.
func (l *Loop) saveAndReset(ctx context.Context, base string, paths []string, kept string) (git.Saved, error) {
	saved, err := l.Repo.Files.Save(ctx, kept, "Before a reset to "+base, paths)
	if err != nil {
		return saved, err
	}
	for _, f := range saved.LeftOut {
		aside, err := l.Repo.Files.MoveAside(f.Path)
		if err != nil {
			return saved, err
		}
		l.say("warning", "%s is too large to be kept under a ref: it is now %s.", f.Path, aside)
	}
	_, err = l.Repo.Files.Reset(ctx, base, paths, "")
	return saved, err
}

// commits lists those since the task's base: own ones name the task.
func (l *Loop) commits(ctx context.Context, t taskfile.ListedTask) (own, foreign []git.Described, err error) {
	base := baseOf(t)
	if base == "" || !l.Repo.History.Exists(ctx, base) {
		return nil, nil, nil
	}
	since, err := l.Repo.History.Between(ctx, base, "HEAD")
	if err != nil {
		return nil, nil, err
	}
	for _, c := range since {
		if names(c, t.ID) {
			own = append(own, c)
		} else {
			foreign = append(foreign, c)
		}
	}
	foreign, err = l.offLine(ctx, foreign)
	return own, foreign, err
}

// offLine leaves out what the workers' line has: a kill while the tree was taken to its end left a base below it.
func (l *Loop) offLine(ctx context.Context, commits []git.Described) ([]git.Described, error) {
	if l.Line == nil || len(commits) == 0 {
		return commits, nil
	}
	tip, err := l.tip(ctx)
	if err != nil {
		return nil, err
	}
	var off []git.Described
	for _, c := range commits {
		on, err := l.Repo.History.IsAncestor(ctx, c.SHA, tip)
		if err != nil {
			return nil, err
		}
		if !on {
			off = append(off, c)
		}
	}
	return off, nil
}

// made lists those of them that change something, the newest first.
func (l *Loop) made(ctx context.Context, t taskfile.ListedTask) ([]git.Described, error) {
	own, foreign, err := l.commits(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(own) == 0 {
		every, err := l.every(t)
		if err != nil {
			return nil, err
		}
		if every {
			own = foreign
		}
	}
	return slices.DeleteFunc(own, func(c git.Described) bool {
		paths, err := l.Repo.History.Differing(ctx, c.SHA+"^", c.SHA)
		return err != nil || len(paths) == 0
	}), nil
}

// every says whether each commit since the task's base counts as its work, under whatever subject: a person, or another
// program, may have made it.
func (l *Loop) every(t taskfile.ListedTask) (bool, error) {
	b, known, err := l.remembered(t)
	return l.Line == nil && (l.byHand || !known || b.Adopted), err
}

// giveBack takes the work out of the tree and lets the task go, with no attempt spent.
func (l *Loop) giveBack(ctx context.Context, t taskfile.ListedTask) error {
	b, known, err := l.remembered(t)
	if err == nil && known && !b.Returning {
		b.Returning = true // a tree without its work would be taken for an attempt that came to nothing
		err = l.write(b)
	}
	if err != nil {
		return err
	}
	if _, err := l.takeBack(ctx, t); err != nil {
		return err
	}
	err = l.File.Update(ctx, func(list *taskfile.TaskList) error { return list.GiveBack(t.ID, l.Worker) })
	if err != nil && !taken(err) {
		return err
	}
	return l.forget(t.ID)
}

// leave lets a task go that was called off before anything was done; else the next run takes up what is there now.
func (l *Loop) leave(ctx context.Context, t taskfile.ListedTask) error {
	work, err := l.work(ctx, t)
	if err != nil {
		return err
	}
	b, known, err := l.remembered(t)
	if err == nil && known {
		b.Stopped, b.Left = true, git.Paths(work)
		err = l.write(b)
	}
	if err != nil || len(work) > 0 {
		return err
	}
	if made, err := l.made(ctx, t); err != nil || len(made) > 0 {
		return err
	}
	list, err := l.File.Read()
	if err != nil {
		return err
	}
	if now := list.Find(t.ID); now != nil && len(now.Checkpoints) > 0 {
		return nil
	}
	return l.giveBack(ctx, t)
}

// abandon takes the work of a task out of the tree that is no longer this worker's.
func (l *Loop) abandon(ctx context.Context, t taskfile.ListedTask, why *lostError) error {
	ctx = context.WithoutCancel(ctx)
	kept, err := l.takeBack(ctx, t)
	if err != nil {
		return err
	}
	return l.gone(t, why, kept)
}

// gone tells that a task is no longer this worker's.
func (l *Loop) gone(t taskfile.ListedTask, why *lostError, kept string) error {
	text := why.Error()
	if kept != "" {
		text += "; what was done is kept under " + kept
	}
	l.say("warning", "%s: %s", t.ID, text)
	return errors.Join(l.log("WARN", t.ID, "", text), l.forget(t.ID))
}
