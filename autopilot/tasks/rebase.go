package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/sessions/taskfile"
)

// bring brings the task's commit, which is HEAD, onto the line. It says true where the line went on meanwhile and the
// commit was put on top of it: what is there now was never validated.
func (a attempts) bring(ctx context.Context, t taskfile.ListedTask) (again bool, err error) {
	if a.notes.alone {
		return false, nil
	}
	ctx = context.WithoutCancel(ctx)
	position, err := a.repo.Position(ctx)
	if err != nil {
		return false, err
	}
	commit := position.Head
	release, err := a.line.line.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	tip, err := a.line.tip(ctx)
	if err != nil {
		return false, err
	}
	if done, err := a.repo.History.IsAncestor(ctx, commit, tip); err != nil || done {
		return false, err
	}
	if onTop, err := a.repo.History.IsAncestor(ctx, tip, commit); err != nil {
		return false, err
	} else if onTop {
		return false, a.push(ctx, t, commit, tip)
	}
	if a.notes.byHand {
		return false, a.line.abreast(ctx)
	}
	if _, foreign, err := a.own.commits(ctx, t); err != nil || len(foreign) > 0 {
		return false, errors.Join(err, apart(foreign))
	}
	return true, a.rebase(ctx, t, commit, tip)
}

// push moves the line, while the task is this worker's.
func (a attempts) push(ctx context.Context, t taskfile.ListedTask, commit, tip string) error {
	if err := a.claims.renew(ctx, t.ID); taken(err) {
		return &lostError{err}
	} else if err != nil {
		return err
	}
	moved, err := a.repo.Refs.Move(ctx, LineRef, commit, tip)
	if err == nil && !moved {
		err = errors.New("the line was moved by somebody who does not hold its lock")
	}
	return err
}

// apart refuses to put commits of the user's on top of the line with a task's.
func apart(theirs []git.Described) error {
	if len(theirs) == 0 {
		return nil
	}
	return &halt.UsageError{Message: fmt.Sprintf("this branch has commits that aren't from tasks (%s), and the other workers have moved on\nMerge their work first: git merge %s", strings.Join(shorts(theirs), ", "), LineRef)}
}

// rebase takes the working tree to the end of the line, and puts the task's files there, uncommitted.
func (a attempts) rebase(ctx context.Context, t taskfile.ListedTask, commit, tip string) error {
	mine, theirs, err := a.own.sides(ctx, t, commit, tip)
	if err != nil {
		return err
	}
	kept := refOf(t.ID, fmt.Sprint(t.Attempts+1)+"-before")
	if a.repo.History.Exists(ctx, kept) {
		kept += "-" + short(commit)
	}
	if _, err := a.repo.Refs.Move(ctx, kept, commit, ""); err != nil && !a.repo.History.Exists(ctx, kept) {
		return err
	}
	if err := a.rebasing(ctx, t, commit); err != nil {
		return err
	}
	if err := a.repo.Refs.Advance(ctx, tip); err != nil {
		return err
	}
	if both := git.AlsoIn(mine, theirs); len(both) > 0 {
		return &conflictError{both}
	}
	if _, err := a.repo.Files.Reset(ctx, commit, mine, ""); err != nil {
		return fmt.Errorf("bringing the work of %s onto the line: %w", t.ID, err)
	}
	if err := a.repo.Index.AsHead(ctx, mine); err != nil {
		return err
	}
	return a.moveBase(ctx, t, tip, mine)
}

// rebasing notes that the working tree may hold a part of a task's work from now on, and all of it is in its commit.
func (a attempts) rebasing(ctx context.Context, t taskfile.ListedTask, commit string) error {
	b, _, err := a.notes.remembered(ctx, t)
	if err != nil {
		return err
	}
	b.Task, b.Base, b.Rebasing = t.ID, baseOf(t), commit
	return a.notes.write(ctx, b)
}

// unrebased takes the working tree back to the commit of a task that was put on top of the line when the run ended.
func (a attempts) unrebased(ctx context.Context, t taskfile.ListedTask) error {
	b, _, err := a.notes.remembered(ctx, t)
	if err != nil || b.Rebasing == "" {
		return err
	}
	position, err := a.repo.Position(ctx)
	if err == nil && position.Head != b.Rebasing {
		err = a.atCommit(ctx, t, b.Rebasing, position.Head)
	}
	if err != nil {
		return fmt.Errorf("taking the working tree back to the commit of %s: %w", t.ID, err)
	}
	b.Rebasing = ""
	return a.notes.write(ctx, b)
}

// atCommit takes away what is there of a commit's work at head, and then goes to the commit.
func (a attempts) atCommit(ctx context.Context, t taskfile.ListedTask, commit, head string) error {
	mine, _, err := a.own.sides(ctx, t, commit, head)
	if err != nil {
		return err
	}
	if _, err := a.rollback.saveAndReset(ctx, head, mine, refOf(t.ID, fmt.Sprint(t.Attempts+1)+"-cut")); err != nil {
		return err
	}
	return a.repo.Refs.Advance(ctx, commit)
}

// moveBase records where the task's work now starts, in the file and beside it, and which files it is.
func (a attempts) moveBase(ctx context.Context, t taskfile.ListedTask, base string, work []string) error {
	b, _, err := a.notes.remembered(ctx, t)
	if err != nil {
		return err
	}
	if err := a.file.Update(ctx, func(list *taskfile.TaskList) error {
		now, err := list.Held(t.ID, a.claims.worker)
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
	return a.notes.write(ctx, b)
}
