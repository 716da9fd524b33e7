package tasks

import (
	"context"
	"fmt"

	"autopilot/autopilot/git"
	"autopilot/sessions/taskfile"
)

// rebase takes the working tree to the end of the line, and puts the task's files there, uncommitted.
func (l *Loop) rebase(ctx context.Context, t taskfile.ListedTask, commit, tip string) error {
	mine, theirs, err := l.sides(ctx, t, commit, tip)
	if err != nil {
		return err
	}
	kept := l.ref(t.ID, fmt.Sprint(t.Attempts+1)+"-before")
	if l.Repo.History.Exists(ctx, kept) {
		kept += "-" + short(commit)
	}
	if _, err := l.Repo.Refs.Move(ctx, kept, commit, ""); err != nil && !l.Repo.History.Exists(ctx, kept) {
		return err
	}
	if err := l.rebasing(t, commit); err != nil {
		return err
	}
	if err := l.Repo.Refs.Advance(ctx, tip); err != nil {
		return err
	}
	if both := git.AlsoIn(mine, theirs); len(both) > 0 {
		return &conflictError{both}
	}
	if _, err := l.Repo.Files.Reset(ctx, commit, mine, ""); err != nil {
		return fmt.Errorf("bringing the work of %s onto the line: %w", t.ID, err)
	}
	if err := l.Repo.Index.AsHead(ctx, mine); err != nil {
		return err
	}
	return l.moveBase(ctx, t, tip, mine)
}

// rebasing notes that the working tree may hold a part of a task's work from now on, and all of it is in its commit.
func (l *Loop) rebasing(t taskfile.ListedTask, commit string) error {
	b, _, err := l.remembered(t)
	if err != nil {
		return err
	}
	b.Task, b.Base, b.Rebasing = t.ID, baseOf(t), commit
	return l.write(b)
}

// unrebased takes the working tree back to the commit of a task that was put on top of the line when the run ended.
func (l *Loop) unrebased(ctx context.Context, t taskfile.ListedTask) error {
	b, _, err := l.remembered(t)
	if err != nil || b.Rebasing == "" {
		return err
	}
	position, err := l.Repo.Position(ctx)
	if err == nil && position.Head != b.Rebasing {
		err = l.atCommit(ctx, t, b.Rebasing, position.Head)
	}
	if err != nil {
		return fmt.Errorf("taking the working tree back to the commit of %s: %w", t.ID, err)
	}
	b.Rebasing = ""
	return l.write(b)
}

// atCommit takes away what is there of a commit's work at head, and then goes to the commit.
func (l *Loop) atCommit(ctx context.Context, t taskfile.ListedTask, commit, head string) error {
	mine, _, err := l.sides(ctx, t, commit, head)
	if err != nil {
		return err
	}
	if _, err := l.saveAndReset(ctx, head, mine, l.ref(t.ID, fmt.Sprint(t.Attempts+1)+"-cut")); err != nil {
		return err
	}
	return l.Repo.Refs.Advance(ctx, commit)
}

// moveBase records where the task's work now starts, in the file and beside it, and which files it is.
func (l *Loop) moveBase(ctx context.Context, t taskfile.ListedTask, base string, work []string) error {
	b, _, err := l.remembered(t)
	if err != nil {
		return err
	}
	if err := l.File.Update(ctx, func(list *taskfile.TaskList) error {
		now, err := list.Held(t.ID, l.Worker)
		if err == nil {
			now.StartedAtCommit = &base
		}
		return err
	}); taken(err) {
		return &lostError{err}
	} else if err != nil {
		return err
	}
	b.Task, b.Base, b.Begun, b.Checked, b.Rebasing = t.ID, base, true, work, ""
	*t.StartedAtCommit = base
	return l.write(b)
}
