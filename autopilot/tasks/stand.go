package tasks

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// Branch is where a list is worked through in a working tree that has the default branch, or none, checked out.
const Branch = "autopilot/tasks"

// UsersChanges lists the changed files that are nobody's work: those that git tracks, in a tree where no task is in
// progress. Of an interrupted task they are what it left.
func (l *Loop) UsersChanges(ctx context.Context) ([]string, error) {
	list, err := l.File.Read()
	if err != nil {
		return nil, err
	}
	var known []string
	here := func(t machine.ListedTask) bool {
		return l.mine(&list, t) || t.Status == machine.TaskRunning && !list.Config.IsConcurrent()
	}
	if slices.ContainsFunc(list.Tasks, here) {
		return nil, nil
	}
	dirt, err := l.Repo.Dirt(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range dirt {
		if !c.Untracked {
			known = append(known, c.Path)
		}
	}
	return known, nil
}

// OwnBranch makes a branch for the work where the default one, or none, is checked out.
func (l *Loop) OwnBranch(ctx context.Context) error {
	position, err := l.Repo.Position(ctx)
	if err != nil {
		return err
	}
	standard, err := l.Repo.DefaultBranch(ctx)
	if err != nil {
		return err
	}
	if position.Branch != "" && position.Branch != standard {
		return nil
	}
	branch, err := l.Repo.CreateBranch(context.WithoutCancel(ctx), Branch)
	if err != nil {
		return fmt.Errorf("making a branch for the tasks: %w", err)
	}
	l.say("info", "Working on the new branch %s.", branch)
	return nil
}
