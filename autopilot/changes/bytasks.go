package changes

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// ByTasks lists what changed since a commit and is not the user's, a by-product of a command that none of these tasks
// made its own, or a plan.
func (cs Changes) ByTasks(ctx context.Context, tasks []machine.Task, base string) ([]git.Change, error) {
	s := cs.Journal.State()
	all, err := cs.Repo.Tree.Changes(ctx, base)
	if err == nil {
		all, err = cs.withoutTraces(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	left, err := cs.leftBehind(ctx, all, tasks)
	if err != nil {
		return nil, err
	}
	plan := s.Phases[s.CurrentPhase].PlanPath
	return slices.DeleteFunc(all, func(c git.Change) bool {
		if cs.Plans.IsPlan(c.Path) && !Announced(s.Tasks, c.Path) {
			return true
		}
		return slices.Contains(s.LeftOut, c.Path) || slices.Contains(left, c.Path) ||
			slices.Contains([]string{plan, s.SpecPath, workspace.ProjectFile}, c.Path)
	}), nil
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
