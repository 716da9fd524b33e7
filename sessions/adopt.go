package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Adopt brings what an older program left elsewhere to the folder of its session, where Open imports it: the folder of
// a session that had another name is renamed; a single file is copied.
func Adopt(found, dir string) error {
	info, err := os.Lstat(found)
	if err != nil {
		return fmt.Errorf("taking %s in: %w", found, err)
	}
	if _, err := os.Lstat(dir); info.IsDir() && errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(found, dir); err != nil {
			return fmt.Errorf("taking %s in: %w", found, err)
		}
		return syncFolder(filepath.Dir(dir))
	}
	if info.IsDir() {
		found = join(found, snapshotName)
	}
	if err := copyState(found, dir); err != nil {
		return fmt.Errorf("taking %s in: %w", found, err)
	}
	return nil
}

func copyState(found, dir string) error {
	disk, to := OSDisk{}, join(dir, snapshotName)
	if err := errors.Join(plain(disk, found), plainSession(disk, dir)); err != nil {
		return err
	}
	file, err := os.ReadFile(found)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return ErrSessionExists
	}
	if err := replaceFile(disk, to, file, true); err != nil {
		return err
	}
	return syncFolder(dir)
}
