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

	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// fail ends an attempt: cleanup, the work is kept under a ref and taken out of the tree, then the failure is recorded. A
// base that git does not know leaves nothing to start from: nothing is taken out, and it was the last attempt.
func (l *Loop) fail(ctx context.Context, t machine.ListedTask, why *failure) error {
	ctx = context.WithoutCancel(ctx)
	known := baseOf(t) == "" || l.Repo.Exists(ctx, baseOf(t))
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
	message := firstLine(why.why)
	if !known {
		message += fmt.Sprintf(" (started_at_commit %s is not in this repository: nothing was reset, and no attempt is left)", short(baseOf(t)))
	}
	err := l.File.Update(ctx, func(list *machine.TaskList) error {
		return list.Fail(t.ID, l.Worker, why.category, message, !known, l.Now())
	})
	if taken(err) {
		return l.gone(t, &lostError{err}, kept)
	}
	if err != nil {
		return err
	}
	if err := l.keepFailure(t.ID, why.why); err != nil {
		return err
	}
	l.tell(t, machine.TaskFailed, "%s failed: %s", t.ID, why.why)
	return errors.Join(l.log("ERROR", t.ID, why.category, message), l.forget(t.ID))
}

// cleanUp runs what the task wants to be run after a failure. It may delete the work, which is kept before.
func (l *Loop) cleanUp(ctx context.Context, t machine.ListedTask) error {
	if t.OnFailure.Cleanup == nil || strings.TrimSpace(*t.OnFailure.Cleanup) == "" {
		return nil
	}
	work, err := l.work(ctx, t)
	if err != nil {
		return err
	}
	if len(work) > 0 {
		if _, err := l.Repo.SaveTree(ctx, l.ref(t.ID, fmt.Sprint(t.Attempts+1)+"-uncleaned"), "before on_failure.cleanup", git.Paths(work)); err != nil {
			return fmt.Errorf("saving the work of %s before its cleanup: %w", t.ID, err)
		}
	}
	ev := l.shell(ctx, *t.OnFailure.Cleanup, l.Settings.Cleanup)
	if err := l.restoreAfter(ctx, t); err != nil {
		return err
	}
	if ev.Outcome != check.CouldNotCheck && ev.Outcome != check.TimedOut && ev.ExitCode == 0 {
		return nil
	}
	l.say("warning", "on_failure.cleanup of %s failed: %s", t.ID, reasonOf(ev))
	return l.log("WARN", t.ID, "", "on_failure.cleanup failed: "+reasonOf(ev))
}

// restoreAfter brings back what a cleanup took of the user's files.
func (l *Loop) restoreAfter(ctx context.Context, t machine.ListedTask) error {
	b, _, err := l.remembered(t)
	if err != nil || len(b.Saved.Files) == 0 {
		return err
	}
	deleted, altered, err := l.Repo.Altered(b.Saved.Files)
	l.restore(ctx, "on_failure.cleanup", git.Deviation{UserDeleted: deleted, UserAltered: altered}, b.Saved)
	return err
}

// keepFailure keeps the whole of a failure for the next attempt: error_log has a line of it.
func (l *Loop) keepFailure(id, text string) error {
	if err := os.MkdirAll(filepath.Dir(l.failureFile(id)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(l.failureFile(id), []byte(text), 0o644)
}

func (l *Loop) failureFile(id string) string { return filepath.Join(l.Dir, refPart(id), "failure.txt") }

// takeBack keeps the work of a task under a ref, and makes the tree what it was before. Commits since the base are taken
// back where all of them are the task's; others are somebody's, and stay. It returns where the work is kept, "" where
// there was none.
func (l *Loop) takeBack(ctx context.Context, t machine.ListedTask) (string, error) {
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
	if len(own) > 0 && len(foreign) == 0 {
		committed, err := l.rewind(ctx, t, kept)
		if err != nil {
			return "", err
		}
		base, paths = baseOf(t), append(paths, committed...)
	} else if len(own) > 0 {
		l.say("warning", "Commits of %s stay, since others stand among them: %s", t.ID, strings.Join(shorts(own), ", "))
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
	saved, err := l.Repo.SaveTree(ctx, kept, "Before a reset to "+base, paths)
	if err != nil {
		return saved, err
	}
	for _, f := range saved.LeftOut {
		aside, err := l.Repo.MoveAside(f.Path)
		if err != nil {
			return saved, err
		}
		l.say("warning", "%s is too large to be kept under a ref: it is now %s.", f.Path, aside)
	}
	_, err = l.Repo.ResetTo(ctx, base, paths, "")
	return saved, err
}

// rewind takes the branch back to the task's base; the files stay. It lists what the commits had changed.
func (l *Loop) rewind(ctx context.Context, t machine.ListedTask, kept string) ([]string, error) {
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := l.Repo.Differing(ctx, baseOf(t), position.Head)
	if err != nil {
		return nil, err
	}
	deviation := git.Deviation{Now: position, HeadAhead: true}
	if position.Branch != "" {
		deviation.Refs = []git.Moved{{Name: "refs/heads/" + position.Branch, Before: baseOf(t), After: position.Head}}
	}
	guard := git.Guard{Branch: position.Branch, Head: baseOf(t), Operation: position.Operation}
	if err := l.Repo.PutBack(ctx, guard, deviation, kept+"-commits-"+short(position.Head)); err != nil {
		return nil, fmt.Errorf("taking the commits of %s back: %w", t.ID, err)
	}
	b, _, err := l.remembered(t)
	return slices.DeleteFunc(committed, func(p string) bool { return slices.Contains(b.Users, p) }), err
}

// commits lists those since the task's base: own ones name the task.
func (l *Loop) commits(ctx context.Context, t machine.ListedTask) (own, foreign []git.Described, err error) {
	base := baseOf(t)
	if base == "" || !l.Repo.Exists(ctx, base) {
		return nil, nil, nil
	}
	since, err := l.Repo.Between(ctx, base, "HEAD")
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
	return own, foreign, nil
}

// made lists those of them that change something, the newest first. What a person completes by hand they may have
// committed under any subject.
func (l *Loop) made(ctx context.Context, t machine.ListedTask) ([]git.Described, error) {
	own, foreign, err := l.commits(ctx, t)
	if err != nil {
		return nil, err
	}
	if l.byHand && l.Line == nil && len(own) == 0 {
		own = foreign
	}
	return slices.DeleteFunc(own, func(c git.Described) bool {
		paths, err := l.Repo.Differing(ctx, c.SHA+"^", c.SHA)
		return err != nil || len(paths) == 0
	}), nil
}

// giveBack takes the work out of the tree and lets the task go, with no attempt spent.
func (l *Loop) giveBack(ctx context.Context, t machine.ListedTask) error {
	if _, err := l.takeBack(ctx, t); err != nil {
		return err
	}
	err := l.File.Update(ctx, func(list *machine.TaskList) error { return list.GiveBack(t.ID, l.Worker) })
	if err != nil && !taken(err) {
		return err
	}
	return l.forget(t.ID)
}

// leave lets a task go that was called off before anything was done; else the next run takes up what is there now.
func (l *Loop) leave(ctx context.Context, t machine.ListedTask) error {
	work, err := l.work(ctx, t)
	if err != nil {
		return err
	}
	if len(work) > 0 {
		b, known, err := l.remembered(t)
		if err != nil || !known {
			return err
		}
		b.Left = git.Paths(work)
		return l.write(b)
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
func (l *Loop) abandon(ctx context.Context, t machine.ListedTask, why *lostError) error {
	ctx = context.WithoutCancel(ctx)
	kept, err := l.takeBack(ctx, t)
	if err != nil {
		return err
	}
	return l.gone(t, why, kept)
}

// gone tells that a task is no longer this worker's.
func (l *Loop) gone(t machine.ListedTask, why *lostError, kept string) error {
	text := why.Error()
	if kept != "" {
		text += "; what was done is kept under " + kept
	}
	l.say("warning", "%s: %s", t.ID, text)
	return errors.Join(l.log("WARN", t.ID, "", text), l.forget(t.ID))
}
