package autopilot

import (
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// ownFolders is OwnFolders for what the session writes: with a lane, in both working trees.
func (e *Engine) ownFolders() error {
	if e.main != nil {
		if err := e.main.ownFolders(); err != nil {
			return err
		}
	}
	if err := workspace.OwnFolders(e.Repo); err != nil {
		return err
	}
	for _, name := range []string{"attempts", "evidence", "inbox", "scratchpad"} {
		if err := plainfile.NoLink(filepath.Join(e.Records.Dir(), name)); err != nil {
			return err
		}
	}
	return nil
}

// removeLinks removes the links that a dispatch left in the place of folders that autopilot writes in.
func (e *Engine) removeLinks(w snapshot, found *restored) error {
	removed, err := workspace.RemoveLinks(e.ownFolders)
	for _, path := range removed {
		severity, who := e.atWork.blame(w.ID)
		found.add(severity, who+" put a link in the place of "+plainfile.RelTo(path, e.Repo.Root(), filepath.Dir(e.Harness)), "it was removed: autopilot writes there", "")
	}
	return err
}
