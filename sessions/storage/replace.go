package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
)

// TempSuffix ends the name of a file that is still being written.
const TempSuffix = ".tmp"

// ReplaceDurably writes a private file so that a reader, and whoever looks after a power cut, sees the old content or the
// new. With backup the old content is then under the same name with .bak; at each moment of it the file itself is there.
func ReplaceDurably(disk Disk, path string, data []byte, backup bool) error {
	return replace(disk, path, path+TempSuffix, data, plainfile.PrivateFile, backup)
}

// ReplaceShared is ReplaceDurably for a file that lies among those of the user, who may commit it.
func ReplaceShared(disk Disk, path string, data []byte, backup bool) error {
	return replace(disk, path, path+TempSuffix, data, 0o644, backup)
}

func replace(disk Disk, path, temp string, data []byte, perm fs.FileMode, backup bool) error {
	if err := WriteTemp(disk, temp, data, perm, true); err != nil {
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
func ReplaceText(disk Disk, path string, text []byte) error {
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
func Plain(disk Disk, path string) error {
	return refuseUnless(disk, path, func(m fs.FileMode) bool { return m.IsRegular() })
}

// PlainFolder refuses what is there under a path and is no folder, as a link to one: a *plainfile.LinkError. Nothing
// there is fine.
func PlainFolder(disk Disk, path string) error {
	return refuseUnless(disk, path, fs.FileMode.IsDir)
}

func refuseUnless(disk Disk, path string, good func(fs.FileMode) bool) error {
	info, err := disk.Lstat(path)
	return plainfile.Refuse(path, info, err, good)
}

// FreeName is name+ext, or with -2, -3 … before ext where that is taken.
func FreeName(disk Disk, name, ext string) (string, error) {
	for n, try := 2, name+ext; ; n, try = n+1, fmt.Sprintf("%s-%d%s", name, n, ext) {
		if _, err := disk.Lstat(try); errors.Is(err, fs.ErrNotExist) {
			return try, nil
		} else if err != nil {
			return "", err
		}
	}
}

// keepBackup gives the present snapshot the backup's name as well. Renaming it would leave a moment without any.
func keepBackup(disk Disk, path, backup string) error {
	temp := backup + TempSuffix
	if err := RemoveIfThere(disk, temp); err != nil {
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
	return errors.Join(err, RemoveIfThere(disk, temp))
}

func copyFile(disk Disk, from, to string) error {
	data, err := disk.ReadFile(from)
	if err != nil {
		return err
	}
	return WriteTemp(disk, to, data, plainfile.PrivateFile, true)
}
