package autopilot

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
)

// checking remembers, in the git folder, which files were untracked before a check. One that was cut off is done again,
// and what it left behind must not be taken for an agent's work then.
type checking struct {
	Session   string     `json:"session"`
	Moment    int64      `json:"moment"` // the revision, runs aside: the same for a check that is done again
	Untracked []git.File `json:"untracked"`
}

func (e *Engine) checkingFile() string {
	return filepath.Join(e.Repo.GitDir(), "autopilot", "checking.json")
}

func (e *Engine) moment() checking {
	s := e.state()
	t, ok := s.Task(cmp.Or(e.task, s.CurrentTask))
	if ok && s.Parallel > 1 && s.Step != machine.StepRescue { // what others do meanwhile moves the revision on; beside a rescue there are none
		// With a commit, a hook changed the tree: it is checked once more.
		what := fmt.Sprintf("%d %s %d %d %s", s.CurrentPhase, t.ID, t.Dispatches, len(t.Attempts), t.Commit)
		return checking{Session: s.SessionID + " " + what}
	}
	return checking{Session: s.SessionID, Moment: s.Revision - int64(s.Runs)}
}

// cutCheck lists what was untracked before the check at hand was cut off; without one before it, it says false.
func (e *Engine) cutCheck() (untracked []string, cut bool) {
	var last checking
	now := e.moment()
	if err := plainfile.ReadJSON(e.checkingFile(), &last); err != nil || last.Session != now.Session || last.Moment != now.Moment {
		return nil, false
	}
	for _, f := range last.Untracked {
		untracked = append(untracked, f.Path)
	}
	return untracked, true
}

// beforeCheck lists what is untracked before a check, and remembers it.
func (e *Engine) beforeCheck(ctx context.Context) ([]string, error) {
	if before, cut := e.cutCheck(); cut {
		return before, nil
	}
	before, err := e.untracked(ctx)
	if err != nil {
		return nil, err
	}
	now := e.moment()
	for _, path := range before {
		now.Untracked = append(now.Untracked, git.File{Path: path})
	}
	return before, writeJSON(e.checkingFile(), now)
}

// withoutTraces leaves out what a check that was cut off left behind.
func (e *Engine) withoutTraces(ctx context.Context, changes []change) ([]change, error) {
	before, cut := e.cutCheck()
	if !cut {
		return changes, nil
	}
	now, err := e.untracked(ctx)
	traces := newIn(now, before)
	return slices.DeleteFunc(changes, func(c change) bool { return slices.Contains(traces, c.Path) }), err
}
