package changes

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// A file that a command left behind stays out of every task's work, until an executor makes or changes it whose task
// announces it: then it is what the plan asked for.

// Claimed lists the untracked files that a task announces and its executor made or changed in the dispatch just ended: before it these paths were dirty, and saved.
func (cs Changes) Claimed(ctx context.Context, task string, saved git.Saved, dirty []string) ([]string, error) {
	t, ok := cs.Journal.State().Task(task)
	if !ok {
		return nil, nil
	}
	untracked, err := workspace.Untracked(ctx, cs.Repo)
	if err != nil {
		return nil, err
	}
	_, altered, err := cs.Repo.Files.Altered(saved.All())
	if err != nil {
		return nil, fmt.Errorf("comparing with what was there before the dispatch: %w", err)
	}
	return slices.DeleteFunc(untracked, func(p string) bool {
		return !t.Announces(p) || slices.Contains(dirty, p) && !slices.Contains(altered, p)
	}), nil
}

// leftBehind lists those of some changes that commands left behind, and none of the tasks made its own. What is in HEAD
// by now is nobody's leftover any more.
func (cs Changes) leftBehind(ctx context.Context, changes []git.Change, tasks []machine.Task) ([]string, error) {
	if !slices.ContainsFunc(changes, func(c git.Change) bool { return cs.IsByProduct(c.Path, tasks) }) {
		return nil, nil
	}
	status, err := cs.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	var left []string
	for _, c := range status.Dirt {
		if c.Status == 'A' && cs.IsByProduct(c.Path, tasks) {
			left = append(left, c.Path)
		}
	}
	return left, nil
}

// IsByProduct says whether commands left a file behind, and none of the tasks made it its own.
func (cs Changes) IsByProduct(file string, tasks []machine.Task) bool {
	return slices.Contains(cs.Journal.State().ByProducts, file) &&
		!slices.ContainsFunc(tasks, func(t machine.Task) bool { return slices.Contains(t.Claimed, file) })
}
