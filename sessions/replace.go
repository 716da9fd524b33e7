package sessions

import (
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// tempSuffix ends the name of a file that is still being written.
const tempSuffix = ".tmp"

// ReplaceDurably writes a file so that a reader, and whoever looks after a power cut, sees the old content or the new.
// With backup the old content is then under the same name with .bak; at each moment of it the file itself is there.
func ReplaceDurably(disk storage.Disk, path string, data []byte, backup bool) error {
	return replace(disk, path, path+tempSuffix, data, 0o644, backup)
}

// ReplacePrivately is ReplaceDurably for a file that only the user may read.
func ReplacePrivately(disk storage.Disk, path string, data []byte) error {
	return replace(disk, path, path+tempSuffix, data, 0o600, false)
}

func replace(disk storage.Disk, path, temp string, data []byte, perm fs.FileMode, backup bool) error {
	if err := writeTemp(disk, temp, data, perm, true); err != nil {
		return err
	}
	var err error
	if backup {
		err = keepBackup(disk, path, path+".bak")
	}
	if err == nil {
		err = disk.Rename(temp, path)
	}
	if err != nil {
		_ = disk.Remove(temp)
		return err
	}
	return disk.SyncFolder(filepath.Dir(path))
}

// ReplaceText replaces a file of the user's as ReplaceDurably does. It keeps its rights, and a link stays one.
func ReplaceText(disk storage.Disk, path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return replace(disk, path, path+".autopilot-tmp", text, info.Mode().Perm(), false)
}

// Plain refuses what is there under a path and is no plain file, since a link would make the program write elsewhere: a
// *plainfile.LinkError. Nothing there is fine.
func Plain(disk storage.Disk, path string) error {
	return refuseUnless(disk, path, func(m fs.FileMode) bool { return m.IsRegular() })
}

// PlainFolder refuses what is there under a path and is no folder, as a link to one: a *plainfile.LinkError. Nothing
// there is fine.
func PlainFolder(disk storage.Disk, path string) error {
	return refuseUnless(disk, path, fs.FileMode.IsDir)
}

func refuseUnless(disk storage.Disk, path string, good func(fs.FileMode) bool) error {
	info, err := disk.Lstat(path)
	return plainfile.Refuse(path, info, err, good)
}

// FreeName is name+ext, or with -2, -3 … before ext where that is taken.
func FreeName(disk storage.Disk, name, ext string) (string, error) {
	for n, try := 2, name+ext; ; n, try = n+1, fmt.Sprintf("%s-%d%s", name, n, ext) {
		if _, err := disk.Lstat(try); errors.Is(err, fs.ErrNotExist) {
			return try, nil
		} else if err != nil {
			return "", err
		}
	}
}

// keepBackup gives the present snapshot the backup's name as well. Renaming it would leave a moment without any.
func keepBackup(disk storage.Disk, path, backup string) error {
	temp := backup + tempSuffix
	if err := removeIfThere(disk, temp); err != nil {
		return err
	}
	err := disk.Link(path, temp)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = copyFile(disk, path, temp) // a file system without hard links
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = disk.Rename(temp, backup)
	}
	// Where a kill left snapshot and backup as one file, the rename of one of its names to another does nothing.
	return errors.Join(err, removeIfThere(disk, temp))
}

func copyFile(disk storage.Disk, from, to string) error {
	data, err := disk.ReadFile(from)
	if err != nil {
		return err
	}
	return writeTemp(disk, to, data, 0o644, true)
}
