package changes

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// ByTasks lists what changed since a commit and is the doing of some tasks.
func (cs Changes) ByTasks(ctx context.Context, tasks []machine.Task, base string) ([]git.Change, error) {
	return cs.owned(ctx, base, tasks, nil)
}

// OfTask lists what changed since a commit and is the task's: what others left counts only once it was changed again.
func (cs Changes) OfTask(ctx context.Context, t machine.Task, base string) ([]git.Change, error) {
	if t.ID == "" {
		return cs.ByTasks(ctx, cs.Journal.State().Tasks, base)
	}
	return cs.owned(ctx, base, []machine.Task{t}, t.Leftover)
}

// owned are the changes since a commit that the tasks own.
func (cs Changes) owned(ctx context.Context, base string, tasks []machine.Task, left []machine.Left) ([]git.Change, error) {
	all, err := cs.Since(ctx, base, tasks, left)
	var own []git.Change
	for _, c := range all {
		if c.Owner == Tasks {
			own = append(own, c.Change)
		}
	}
	return own, err
}

// Announced says whether a task of the plan names a file.
func Announced(tasks []machine.Task, file string) bool {
	return slices.ContainsFunc(tasks, func(t machine.Task) bool { return slices.Contains(t.Files, file) })
}

// Uncommitted lists what differs from HEAD and is the session's to commit.
func (cs Changes) Uncommitted(ctx context.Context) ([]string, error) {
	return cs.UncommittedOf(ctx, machine.Task{})
}

// UncommittedOf leaves out what other tasks left behind before the task began.
func (cs Changes) UncommittedOf(ctx context.Context, t machine.Task) ([]string, error) {
	changes, err := cs.OfTask(ctx, t, "HEAD")
	if err != nil {
		return nil, err
	}
	return git.Paths(changes), nil
}
