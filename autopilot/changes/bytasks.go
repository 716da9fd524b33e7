package changes

import (
	"context"
	"maps"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// ByTasks lists what changed since a commit and is the doing of some tasks: what a person committed meanwhile is not.
func (cs Changes) ByTasks(ctx context.Context, tasks []machine.Task, base string) ([]git.Change, error) {
	own, err := cs.owned(ctx, base, tasks, nil)
	if err != nil {
		return nil, err
	}
	theirs, err := cs.committedByOthers(ctx, base)
	return slices.DeleteFunc(own, func(c git.Change) bool { return theirs[c.Path] }), err
}

// committedByOthers are the paths that commits since another one changed, and none of the session's did.
func (cs Changes) committedByOthers(ctx context.Context, base string) (map[string]bool, error) {
	commits, err := cs.Repo.History.Between(ctx, base, "HEAD")
	if err != nil || !slices.ContainsFunc(commits, func(c git.Described) bool { return !cs.IsOurs(c) }) {
		return nil, err
	}
	theirs, ours := map[string]bool{}, map[string]bool{}
	for _, c := range commits {
		if len(c.Parents) == 0 {
			continue
		}
		paths, err := cs.Repo.History.Differing(ctx, c.Parents[0], c.SHA)
		if err != nil {
			return nil, err
		}
		set := theirs
		if cs.IsOurs(c) {
			set = ours
		}
		for _, path := range paths {
			set[path] = true
		}
	}
	maps.DeleteFunc(theirs, func(path string, _ bool) bool { return ours[path] })
	return theirs, nil
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
