package autopilot

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// A file that a command left behind stays out of every task's work, until an executor makes or changes it whose task
// announces it: then it is what the plan asked for.

// claimed lists the untracked files that a task announces and its executor made or changed in the dispatch just ended.
func (e *Engine) claimed(ctx context.Context, w snapshot) ([]string, error) {
	t, ok := e.Journal.State().Task(w.Task)
	if !ok {
		return nil, nil
	}
	untracked, err := workspace.Untracked(ctx, e.Repo)
	if err != nil {
		return nil, err
	}
	_, altered, err := e.Repo.Files.Altered(w.Saved.All())
	if err != nil {
		return nil, fmt.Errorf("comparing with what was there before the dispatch: %w", err)
	}
	return slices.DeleteFunc(untracked, func(p string) bool {
		return !t.Announces(p) || slices.Contains(w.Dirty, p) && !slices.Contains(altered, p)
	}), nil
}

// leftBehind lists those of some changes that commands left behind, and none of the tasks made its own. What is in HEAD
// by now is nobody's leftover any more.
func (e *Engine) leftBehind(ctx context.Context, changes []change, tasks []machine.Task) ([]string, error) {
	if !slices.ContainsFunc(changes, func(c change) bool { return e.isByProduct(c.Path, tasks) }) {
		return nil, nil
	}
	status, err := e.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	var left []string
	for _, c := range status.Dirt {
		if c.Status == 'A' && e.isByProduct(c.Path, tasks) {
			left = append(left, c.Path)
		}
	}
	return left, nil
}

// isByProduct says whether commands left a file behind, and none of the tasks made it its own.
func (e *Engine) isByProduct(file string, tasks []machine.Task) bool {
	return slices.Contains(e.Journal.State().ByProducts, file) &&
		!slices.ContainsFunc(tasks, func(t machine.Task) bool { return slices.Contains(t.Claimed, file) })
}
