package changes

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// Owner is whose a change is.
type Owner int

// Whose a change can be, seen from some tasks.
const (
	Tasks   Owner = iota // theirs
	Session              // the session's own: spec, project file, the plan of the phase, a plan that no task announces
	User                 // the user's: it lay there before, or was changed while nobody was at work, or while a question was open
	Command              // what a command left behind, and none of the tasks made its own
	Others               // what other tasks left when this one began, and nobody changed since
)

// Change is a changed path and its owner.
type Change struct {
	git.Change
	Owner Owner
}

// Since lists what differs from a commit, for tasks that began beside what others had left.
func (cs Changes) Since(ctx context.Context, base string, tasks []machine.Task, left []machine.Left) ([]Change, error) {
	all, err := cs.Repo.Tree.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	o, err := cs.owners(ctx, all, tasks, left)
	var changes []Change
	for _, c := range all {
		owner := o.of(c.Path)
		if c.OldPath != "" && o.of(c.OldPath) != owner { // no rename: two people did two things
			changes = append(changes, Change{git.Change{Path: c.OldPath, Status: 'D'}, o.of(c.OldPath)})
			c.OldPath, c.Status = "", 'A'
		}
		changes = append(changes, Change{c, owner})
	}
	return changes, err
}

// owners is what the rules look at.
type owners struct {
	cs             Changes
	state          machine.State
	command, other []string // paths
}

func (cs Changes) owners(ctx context.Context, all []git.Change, tasks []machine.Task, left []machine.Left) (owners, error) {
	o := owners{cs: cs, state: cs.Journal.State()}
	traces, err := cs.tracesOfCheck(ctx)
	if err != nil {
		return o, err
	}
	behind, err := cs.leftBehind(ctx, all, tasks)
	if err != nil {
		return o, err
	}
	o.command = append(traces, behind...)
	o.other, err = cs.unchanged(left)
	return o, err
}

// of says whose the change of a path is: the first rule that fits decides.
func (o owners) of(path string) Owner {
	switch {
	case o.cs.isSessions(path, o.state):
		return Session
	case slices.Contains(o.state.LeftOut, path):
		return User
	case slices.Contains(o.command, path):
		return Command
	case slices.Contains(o.other, path):
		return Others
	}
	return Tasks
}

func (cs Changes) isSessions(path string, s machine.State) bool {
	return path == s.SpecPath || path == workspace.ProjectFile || s.CurrentPhase < len(s.Phases) && path == s.Phases[s.CurrentPhase].PlanPath ||
		cs.Plans.IsPlan(path) && !Announced(s.Tasks, path)
}

// unchanged lists what is as other tasks left it.
func (cs Changes) unchanged(left []machine.Left) ([]string, error) {
	if len(left) == 0 {
		return nil, nil
	}
	var files []git.File
	for _, l := range left {
		files = append(files, git.File{Path: l.Path, Mode: l.Mode, Blob: l.Blob, Size: l.Size})
	}
	paths, err := cs.Repo.Files.Unchanged(files)
	if err != nil {
		return nil, fmt.Errorf("comparing with what other tasks left: %w", err)
	}
	return paths, nil
}
