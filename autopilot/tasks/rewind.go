package tasks

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/sessions/taskfile"
)

// stay is why commits of a task are not taken back; "" where nothing is against it.
func (l *Loop) stay(ctx context.Context, t taskfile.ListedTask, foreign []git.Described) (string, error) {
	b, _, err := l.remembered(t)
	if err != nil || len(foreign) > 0 {
		return "others stand among them", err
	}
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return "", err
	}
	if b.Branch != "" && b.Branch != position.Branch {
		return "the task was begun on branch " + b.Branch, nil
	}
	if baseOf(t) == "" || !l.Repo.History.Exists(ctx, baseOf(t)) {
		return "where they begin is not known", nil
	}
	if above, err := l.Repo.History.IsAncestor(ctx, baseOf(t), "HEAD"); err != nil || !above {
		return "what is checked out does not hold the commit that the task began at", err
	}
	return "", nil
}

// rewind takes the branch back to the task's base; the files stay. It lists what the commits had changed.
func (l *Loop) rewind(ctx context.Context, t taskfile.ListedTask, kept string) ([]string, error) {
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := l.Repo.History.Differing(ctx, baseOf(t), position.Head)
	if err != nil {
		return nil, err
	}
	base := position
	base.Head = baseOf(t)
	if err := l.backTo(ctx, base, position, kept+"-commits-"+short(position.Head)); err != nil {
		return nil, fmt.Errorf("taking the commits of %s back: %w", t.ID, err)
	}
	b, _, err := l.remembered(t)
	return slices.DeleteFunc(committed, func(p string) bool { return slices.Contains(b.Users, p) }), err
}

// backTo puts the branch back to where it was; what is there now is kept under a ref.
func (l *Loop) backTo(ctx context.Context, was, now git.Position, kept string) error {
	deviation := git.Deviation{Now: now}
	if now.Head != was.Head && was.Branch != "" {
		deviation.Refs = []git.Moved{{Name: "refs/heads/" + was.Branch, Before: was.Head, After: now.Head}}
	}
	return l.Repo.Guards.PutBack(ctx, git.Guard{Branch: was.Branch, Head: was.Head, Operation: was.Operation}, deviation, kept)
}
