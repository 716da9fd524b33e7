package tasks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/git"
)

// FollowUser lets the line start over at the user's HEAD where that has all of it: it was merged, and work went on there.
func FollowUser(ctx context.Context, repo *git.Repo, line Line) error {
	release, err := line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	refs, err := repo.Refs.List(ctx, LineRef)
	if err != nil || len(refs) == 0 {
		return err
	}
	position, err := repo.Position(ctx)
	if err != nil || position.Head == refs[0].Object {
		return err
	}
	if merged, err := repo.History.IsAncestor(ctx, refs[0].Object, position.Head); err != nil || !merged {
		return err
	}
	_, err = repo.Refs.Move(ctx, LineRef, position.Head, refs[0].Object)
	return err
}

// Publish makes a branch of the line, for people, once no worker has a task any more: while one is at work the branch's
// move would be taken for its agent's deed. A branch that the user has checked out stays.
func (l *Loop) Publish(ctx context.Context, user *git.Repo) error {
	list, err := l.File.Read()
	if err != nil || l.Line == nil || list.Counts().Running > 0 {
		return err
	}
	release, err := l.Line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	tip, err := l.parts().line.tip(ctx)
	if err != nil {
		return err
	}
	position, err := user.Position(ctx)
	if err != nil {
		return err
	}
	if has, err := user.History.IsAncestor(ctx, tip, position.Head); err != nil || has {
		return err
	}
	if position.Branch == Branch {
		l.progress().say("info", "What was done is not on your branch yet. To take it: git merge %s", LineRef)
		return nil
	}
	return l.parts().line.publish(ctx, tip)
}

// Over says whether the list is at its end: nothing of it is in progress, or could still begin.
func (l *Loop) Over() (bool, error) {
	list, err := l.File.Read()
	if err != nil {
		return false, err
	}
	_, more := list.Next()
	return !more && list.Counts().Running == 0, nil
}

// Retire removes a worker's working tree, and the clean one beside it. What is in it and nowhere else is kept under refs first.
func (l *Loop) Retire(ctx context.Context, user *git.Repo, dir string) error {
	there, err := user.Worktrees.At(ctx, dir)
	if err != nil || there == nil {
		return err
	}
	name := filepath.Base(dir)
	status, err := there.Tree.Status(ctx)
	if err != nil {
		return err
	}
	if len(status.Dirt) > 0 {
		saved, err := there.Files.Save(ctx, refOf("worker", name, "left"), "what was left in "+name, git.Paths(status.Dirt))
		if err != nil {
			return fmt.Errorf("saving what is left in %s: %w", dir, err)
		}
		if len(saved.LeftOut) > 0 {
			l.progress().say("warning", "The working tree %s stays: what is left in it is too large to be kept under a ref.", dir)
			return nil
		}
	}
	position, err := there.Position(ctx)
	if err != nil {
		return err
	}
	tip, err := l.parts().line.tip(ctx)
	if err != nil {
		return err
	}
	if on, err := user.History.IsAncestor(ctx, position.Head, tip); err != nil {
		return err
	} else if kept := refOf("worker", name, short(position.Head)); !on && !user.History.Exists(ctx, kept) {
		if _, err := user.Refs.Move(ctx, kept, position.Head, ""); err != nil {
			return err
		}
	}
	l.closeTree(ctx, there)
	return errors.Join(user.Worktrees.Remove(ctx, dir), user.Refs.Delete(ctx, snapshotsOf(there).Refs))
}
