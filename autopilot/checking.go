package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
)

// Which files were untracked before a check is kept until it has ended. One that was cut off is done again, and what it left
// behind must not be taken for an agent's work then.

// checkAtHand is the name under which that is kept: the same for a check that is done again, and for no other one of the
// working tree.
func (e *Engine) checkAtHand() string {
	s := e.Journal.State()
	t, _ := s.Task(cmp.Or(e.task, s.CurrentTask))
	// With a commit, a hook changed the tree: it is checked once more.
	name := fmt.Sprintf("check %s/%d %s %d %d %s", e.task, s.CurrentPhase, t.ID, t.Dispatches, len(t.Attempts), t.Commit)
	if e.main == nil { // what others do while a lane's check runs goes on
		name += fmt.Sprintf(" %s %s %d %d", s.CurrentState, s.Step, len(s.History), s.Evidences)
	}
	return name
}

// cutCheck lists what was untracked before the check at hand was cut off; without one before it, it says false.
func (e *Engine) cutCheck(ctx context.Context) (untracked []string, cut bool, err error) {
	var files []git.File // a path may be no text
	cut, err = e.facts().Get(ctx, e.checkAtHand(), &files)
	for _, f := range files {
		untracked = append(untracked, f.Path)
	}
	return untracked, cut, err
}

// beforeCheck lists what is untracked before a check, and keeps it.
func (e *Engine) beforeCheck(ctx context.Context) ([]string, error) {
	before, cut, err := e.cutCheck(ctx)
	if cut || err != nil {
		return before, err
	}
	if before, err = workspace.Untracked(ctx, e.Repo); err != nil {
		return nil, err
	}
	files := []git.File{}
	for _, path := range before {
		files = append(files, git.File{Path: path})
	}
	return before, e.facts().Keep(ctx, e.checkAtHand(), files)
}

// withoutTraces leaves out what a check that was cut off left behind.
func (e *Engine) withoutTraces(ctx context.Context, changes []change) ([]change, error) {
	before, cut, err := e.cutCheck(ctx)
	if !cut || err != nil {
		return changes, err
	}
	now, err := workspace.Untracked(ctx, e.Repo)
	traces := newIn(now, before)
	return slices.DeleteFunc(changes, func(c change) bool { return slices.Contains(traces, c.Path) }), err
}
