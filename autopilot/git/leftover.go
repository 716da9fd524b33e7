package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/plainfile"
)

// leftovers begin the names of the temporary files in the program's part of the git folder.
var leftovers = []string{"message-", "trace-", "index-", ".autopilot-"}

// TakeUp is to be called when a run takes up the working tree, in which nobody else works. A git that outlived a killed
// program is waited for: what it still writes would come as a surprise later. The temporary files that the program left
// are removed. Its error is LockError where a git is still at work after a moment.
func (r *Repo) TakeUp(ctx context.Context) error {
	if err := r.patiently(ctx, r.unlocked); err != nil {
		return err
	}
	if err := r.removeLeftovers(); err != nil {
		return fmt.Errorf("removing what a killed run left behind: %w", err)
	}
	return nil
}

// Leave is to be called when a run leaves the working tree. It removes the temporary files that could not be removed when
// they had served; what it cannot remove either, the next TakeUp does.
func (r *Repo) Leave() { _ = r.removeLeftovers() }

func (r *Repo) removeLeftovers() error {
	left := func(name string) bool {
		return slices.ContainsFunc(leftovers, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	return errors.Join(RemoveOwn(r.gitDir, "", left), RemoveOwn(r.gitDir, "kept", left))
}

// RemoveOwn removes files of a folder in the program's part of the git folder. No link in its place leads out.
func RemoveOwn(gitDir, folder string, unwanted func(name string) bool) error {
	root, err := os.OpenRoot(gitDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	folder = path.Join("autopilot", folder)
	entries, err := fs.ReadDir(root.FS(), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if unwanted(entry.Name()) {
			err = errors.Join(err, root.Remove(path.Join(folder, entry.Name())))
		}
	}
	return err
}

// MovedAfter says whether another branch or commit was checked out after a time, or an operation was begun that is not
// finished, such as a merge.
func (r *Repo) MovedAfter(t time.Time) bool {
	for _, o := range operations {
		if plainfile.ChangedAfter(filepath.Join(r.gitDir, o.file), t) {
			return true
		}
	}
	return plainfile.ChangedAfter(filepath.Join(r.gitDir, "HEAD"), t)
}
