package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// OwnFolders refuses a link in the place of a folder that autopilot writes in: a *plainfile.LinkError. Whoever made the link
// would have it write and remove files elsewhere. The git folder itself, and what .harness lies in, may be behind links.
func OwnFolders(repo *git.Repo) error {
	harness := filepath.Join(repo.Root(), ".harness")
	if err := plainfile.Folder(harness); err != nil {
		return err
	}
	folders := []string{filepath.Join(repo.CommonDir(), "info")}
	for _, name := range []string{"archive", "drafts", "out", "sessions", "tasks", "worktrees"} {
		folders = append(folders, filepath.Join(harness, name))
	}
	for _, folder := range folders {
		if err := plainfile.NoLink(folder); err != nil {
			return err
		}
	}
	if err := noLinkIn(filepath.Join(repo.CommonDir(), "autopilot")); err != nil {
		return err
	}
	return noLinkIn(filepath.Join(repo.GitDir(), "autopilot"))
}

// noLinkIn refuses a link in the place of a folder, and in it. Where a link of the user's is restored, it lies there for a
// moment under a name with a dot.
func noLinkIn(folder string) error {
	if err := plainfile.NoLink(folder); err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink != 0 && !strings.HasPrefix(entry.Name(), ".") {
			return &plainfile.LinkError{Path: filepath.Join(folder, entry.Name())}
		}
	}
	return err
}

// RemoveLinks removes what folders refuses, a link at a time, and returns the paths.
func RemoveLinks(folders func() error) (removed []string, err error) {
	for {
		err := folders()
		var link *plainfile.LinkError
		if !errors.As(err, &link) {
			return removed, err
		}
		if err := os.Remove(link.Path); err != nil {
			return removed, err
		}
		removed = append(removed, link.Path)
	}
}
