package guard

import (
	"path/filepath"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// OwnFolders is OwnFolders for what the session writes: with a lane, in both working trees.
func (g Guard) OwnFolders() error {
	for _, repo := range g.repos() {
		if err := workspace.OwnFolders(repo, g.Dir); err != nil {
			return err
		}
	}
	return nil
}

func (g Guard) repos() []*git.Repo { return slices.Compact([]*git.Repo{g.Home, g.Repo}) }

// removeLinks removes the links that a dispatch left in the place of folders and files that autopilot writes.
func (g Guard) removeLinks(w Snapshot, found *Found) error {
	removed, err := workspace.RemoveLinks(g.repos(), g.Dir)
	for _, path := range removed {
		severity, who := g.AtWork.blame(w.ID)
		found.add(severity, who+" put a link in the place of "+plainfile.RelTo(path, g.Repo.Root(), filepath.Dir(g.Harness)), "it was removed: autopilot writes there", "")
	}
	return err
}
