package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

// Adopt brings what an older program left elsewhere to the folder of its session, where Open imports it: the folder of
// a session that had another name is renamed; a single file is copied.
func Adopt(found, dir string, opts Options) error {
	disk := opts.withDefaults().Disk
	info, err := disk.Lstat(found)
	if err != nil {
		return fmt.Errorf("taking %s in: %w", found, err)
	}
	if _, err := disk.Lstat(dir); info.IsDir() && errors.Is(err, fs.ErrNotExist) {
		if err := disk.Rename(found, dir); err != nil {
			return fmt.Errorf("taking %s in: %w", found, err)
		}
		return disk.SyncFolder(filepath.Dir(dir))
	}
	if info.IsDir() {
		found = join(found, SnapshotName)
	}
	if err := copyState(disk, found, dir); err != nil {
		return fmt.Errorf("taking %s in: %w", found, err)
	}
	return nil
}

func copyState(disk storage.Disk, found, dir string) error {
	to := join(dir, SnapshotName)
	if err := errors.Join(storage.Plain(disk, found), plainSession(disk, dir)); err != nil {
		return err
	}
	file, err := disk.ReadFile(found)
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(dir, plainfile.PrivateFolder); err != nil {
		return err
	}
	if _, err := disk.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return ErrSessionExists
	}
	return storage.ReplaceDurably(disk, to, file, false)
}
