package changes

import (
	"cmp"
	"context"
	"fmt"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
)

// Which files were untracked before a check is kept until it has ended. One that was cut off is done again, and what it left
// behind must not be taken for an agent's work then.

// CheckAtHand is the name under which that is kept: the same for a check that is done again, and for no other one of the
// working tree.
func (cs Changes) CheckAtHand() string {
	s := cs.Journal.State()
	t, _ := s.Task(cmp.Or(cs.Lane, s.CurrentTask))
	// With a commit, a hook changed the tree: it is checked once more.
	name := fmt.Sprintf("check %s/%d %s %d %d %s", cs.Lane, s.CurrentPhase, t.ID, t.Dispatches, len(t.Attempts), t.Commit)
	if cs.Lane == "" { // what others do while a lane's check runs goes on
		name += fmt.Sprintf(" %s %s %d %d", s.CurrentState, s.Step, len(s.History), s.Evidences)
	}
	return name
}

// cutCheck lists what was untracked before the check at hand was cut off; without one before it, it says false.
func (cs Changes) cutCheck(ctx context.Context) (untracked []string, cut bool, err error) {
	var files []git.File // a path may be no text
	cut, err = cs.Facts.Get(ctx, cs.CheckAtHand(), &files)
	for _, f := range files {
		untracked = append(untracked, f.Path)
	}
	return untracked, cut, err
}

// BeforeCheck lists what is untracked before a check, and keeps it.
func (cs Changes) BeforeCheck(ctx context.Context) ([]string, error) {
	before, cut, err := cs.cutCheck(ctx)
	if cut || err != nil {
		return before, err
	}
	if before, err = workspace.Untracked(ctx, cs.Repo); err != nil {
		return nil, err
	}
	files := []git.File{}
	for _, path := range before {
		files = append(files, git.File{Path: path})
	}
	return before, cs.Facts.Keep(ctx, cs.CheckAtHand(), files)
}

// tracesOfCheck lists what a check that was cut off left behind.
func (cs Changes) tracesOfCheck(ctx context.Context) ([]string, error) {
	before, cut, err := cs.cutCheck(ctx)
	if !cut || err != nil {
		return nil, err
	}
	now, err := workspace.Untracked(ctx, cs.Repo)
	return NewIn(now, before), err
}
