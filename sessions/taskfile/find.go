package taskfile

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

// parents is how many folders above one are searched for a task file.
const parents = 8

// Find looks for the folder that holds the task file: HARNESS_STATE_ROOT when it holds one, else CLAUDE_PROJECT_DIR, else
// dir; for these two their parents count as well. Links in its path are resolved. What has the name and is no plain file
// counts too: whoever reads it is told, and is not given the list of a folder above in its place.
func Find(getenv func(string) string, dir string) (root string, ok bool) {
	return find(getenv, dir, FileName)
}

// FindBackup looks in the same places for the folder that has the backup of a task file.
func FindBackup(getenv func(string) string, dir string) (root string, ok bool) {
	return find(getenv, dir, BackupName)
}

func find(getenv func(string) string, dir, name string) (root string, ok bool) {
	if root, ok := holding(getenv("HARNESS_STATE_ROOT"), name, 0); ok {
		return root, true
	}
	if root, ok := holding(getenv("CLAUDE_PROJECT_DIR"), name, parents); ok {
		return root, true
	}
	return holding(dir, name, parents)
}

// holding is the folder itself, or the nearest of so many above it, that holds something of a name.
func holding(dir, name string, above int) (string, bool) {
	if dir == "" {
		return "", false
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", false
	}
	for range above + 1 {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// LockRun takes the lock of a run in exclusive mode, which a second run finds held: a *storage.LockedError. Unlike the
// transaction lock it is this program's own, and the kernel frees it when its holder dies.
func LockRun(root string, now func() time.Time) (*storage.Lock, error) {
	dir := filepath.Join(root, ".harness")
	if err := plainfile.MakeFolder(dir); err != nil {
		return nil, fmt.Errorf("making the folder of the lock: %w", err)
	}
	return storage.LockTree(filepath.Join(dir, "tasks.lock"), now)
}
