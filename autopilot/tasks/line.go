package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// LineRef is the line of commits that the workers of a concurrent list share. Each works in a tree of its own and brings
// what it did onto the line's end. It is no branch, so that its moves are not taken for an agent's deeds.
const LineRef = "refs/autopilot/line/tasks"

// Line makes the loop one of several workers: it begins each task at the end of the shared line, and brings it there.
type Line struct {
	// Lock keeps other workers from moving the line until release.
	Lock func(ctx context.Context) (release func(), err error)
	// AtWork says whether a run of that worker's name is going on.
	AtWork func(worker string) bool
	// Left says whether a worker has a working tree of the program's and no run; nil: this run keeps its name.
	Left func(ctx context.Context, worker string) (bool, error)

	atWork *atWork
}

// conflictError says that others changed the same files meanwhile. The task is done again on top, which costs nothing.
type conflictError struct{ paths []string }

func (e *conflictError) Error() string {
	return "others changed the same files meanwhile: " + strings.Join(e.paths, ", ")
}

// LeftError says that nothing is left to do but tasks of a worker whose run is gone. They can be taken up under its name,
// in its working tree, without waiting for the end of its lease.
type LeftError struct{ Worker string }

func (e *LeftError) Error() string {
	return "the run of " + e.Worker + " ended with a task in progress"
}

// left looks for a worker whose run is gone while a task is in progress for it.
func (l *Loop) left(ctx context.Context, list taskfile.TaskList) error {
	if l.Line == nil || l.Line.Left == nil {
		return nil
	}
	for _, t := range list.Tasks {
		if t.Status != machine.TaskRunning || t.ClaimedBy == nil || *t.ClaimedBy == l.Worker {
			continue
		}
		gone, err := l.Line.Left(ctx, *t.ClaimedBy)
		if err != nil {
			return err
		}
		if gone {
			l.say("info", "The run of %s is gone, so this one goes on in its place with %s.", *t.ClaimedBy, t.ID)
			return &LeftError{*t.ClaimedBy}
		}
	}
	return nil
}

// tip is the end of the line; where there is none yet it begins at HEAD.
func (l *Loop) tip(ctx context.Context) (string, error) {
	refs, err := l.Repo.Refs.List(ctx, LineRef)
	if err != nil {
		return "", err
	}
	if len(refs) > 0 {
		return refs[0].Object, nil
	}
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return "", err
	}
	_, err = l.Repo.Refs.Move(ctx, LineRef, position.Head, "")
	return position.Head, err
}

// advance takes the working tree to the end of the line. Commits that are not on it are kept under a ref; those of a
// branch are somebody's, and stay.
func (l *Loop) advance(ctx context.Context) error {
	if l.Line == nil {
		return nil
	}
	release, err := l.Line.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	tip, err := l.tip(ctx)
	if err != nil {
		return err
	}
	position, err := l.Repo.Position(ctx)
	if err != nil || position.Head == tip {
		return err
	}
	onLine, err := l.Repo.History.IsAncestor(ctx, position.Head, tip)
	if err != nil {
		return err
	}
	if onLine {
		return l.Repo.Refs.Advance(ctx, tip)
	}
	if position.Branch != "" {
		return &halt.UsageError{Message: fmt.Sprintf("branch %s of this working tree and what the workers did so far went different ways\nBring them together first: git merge %s", position.Branch, LineRef)}
	}
	kept := l.ref("worker", l.Worker, short(position.Head))
	if _, err := l.Repo.Refs.Move(ctx, kept, position.Head, ""); err != nil && !l.Repo.History.Exists(ctx, kept) {
		return err
	}
	l.say("warning", "Commits that were never brought to the others are kept under %s.", kept)
	return l.Repo.Refs.Advance(ctx, tip)
}

// abreast says whether the working tree has all that the workers did: a person takes that over by merging it.
func (l *Loop) abreast(ctx context.Context) error {
	if l.Line == nil {
		return nil
	}
	tip, err := l.tip(ctx)
	if err != nil {
		return err
	}
	if has, err := l.Repo.History.IsAncestor(ctx, tip, "HEAD"); err != nil || has {
		return err
	}
	return &halt.UsageError{Message: fmt.Sprintf("others completed tasks since, and their work is not in this working tree\nTake it over, then try again: git merge %s", LineRef)}
}

// bring brings the task's commit, which is HEAD, onto the line. It says true where the line went on meanwhile and the
// commit was put on top of it: what is there now was never validated.
func (l *Loop) bring(ctx context.Context, t taskfile.ListedTask) (again bool, err error) {
	if l.Line == nil {
		return false, nil
	}
	ctx = context.WithoutCancel(ctx)
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return false, err
	}
	commit := position.Head
	release, err := l.Line.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	tip, err := l.tip(ctx)
	if err != nil {
		return false, err
	}
	if done, err := l.Repo.History.IsAncestor(ctx, commit, tip); err != nil || done {
		return false, err
	}
	if onTop, err := l.Repo.History.IsAncestor(ctx, tip, commit); err != nil {
		return false, err
	} else if onTop {
		return false, l.push(ctx, t, commit, tip)
	}
	if l.byHand {
		return false, l.abreast(ctx)
	}
	if _, foreign, err := l.commits(ctx, t); err != nil || len(foreign) > 0 {
		return false, errors.Join(err, l.apart(foreign))
	}
	return true, l.rebase(ctx, t, commit, tip)
}

// apart refuses to put commits of the user's on top of the line with a task's.
func (l *Loop) apart(theirs []git.Described) error {
	if len(theirs) == 0 {
		return nil
	}
	return &halt.UsageError{Message: fmt.Sprintf("commits that are no task's stand in this working tree beside what the other workers did: %s\nBring them together first: git merge %s", strings.Join(shorts(theirs), ", "), LineRef)}
}

// push moves the line, while the task is this worker's.
func (l *Loop) push(ctx context.Context, t taskfile.ListedTask, commit, tip string) error {
	if err := l.renew(ctx, t.ID); taken(err) {
		return &lostError{err}
	} else if err != nil {
		return err
	}
	moved, err := l.Repo.Refs.Move(ctx, LineRef, commit, tip)
	if err == nil && !moved {
		err = errors.New("the line was moved by somebody who does not hold its lock")
	}
	return err
}

// sides are the paths that the task changed, and those that others did since it began.
func (l *Loop) sides(ctx context.Context, t taskfile.ListedTask, commit, tip string) (mine, theirs []string, err error) {
	base, err := l.Repo.History.MergeBase(ctx, commit, tip)
	if err != nil {
		return nil, nil, err
	}
	if base == "" {
		base = baseOf(t)
	}
	if mine, err = l.Repo.History.Differing(ctx, base, commit); err != nil {
		return nil, nil, err
	}
	theirs, err = l.Repo.History.Differing(ctx, base, tip)
	return mine, theirs, err
}
