package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/sessions"
)

// renamed finds the session of a spec that was moved or renamed to this one: its own file is gone, and it says the
// same, or has at least the same title while the session is open.
func (w *Workspace) renamed() (machine.State, bool) {
	now, _, _, err := autopilot.ReadSpec(w.Repo.Root(), w.Spec)
	if err != nil {
		return machine.State{}, false
	}
	all, err := sessions.List(w.Harness, SessionOptions(w.Host))
	if err != nil {
		return machine.State{}, false
	}
	for _, one := range all {
		s := one.State
		same := s.Spec.SHA256 == now.SHA256 || (s.CurrentState != machine.Done && now.Title != "" && s.Spec.Title == now.Title)
		if one.Err == nil && same && s.SpecPath != w.Rel && w.isGone(s.SpecPath) {
			return s, true
		}
	}
	return machine.State{}, false
}

// isGone says whether a path of the repository is no file any more.
func (w *Workspace) isGone(rel string) bool {
	_, err := os.Lstat(filepath.Join(w.Repo.Root(), filepath.FromSlash(rel)))
	return errors.Is(err, fs.ErrNotExist)
}

// NotRenamed refuses to start over, unasked, what a session under the spec's old name has begun or done.
func (w *Workspace) NotRenamed() error {
	old, ok := w.renamed()
	if !ok {
		return nil
	}
	return console.UsageError("%s is gone, and %s has the same title or text: its session (in %s) belongs to the old path.\n"+
		"To continue that session:\n  mv %s %s\n  autopilot %s\nTo start over:\n  autopilot %s --restart",
		old.SpecPath, w.Rel, old.CurrentState, shell.QuotePath(w.Rel), shell.QuotePath(old.SpecPath), shell.QuotePath(old.SpecPath), shell.QuotePath(w.Rel))
}
