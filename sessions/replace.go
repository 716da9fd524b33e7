package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceDurably writes a file so that a reader, and whoever looks after a power cut, sees the old content or the new.
// With backup the old content is then under the same name with .bak; at each moment of it the file itself is there.
func ReplaceDurably(disk Disk, path string, data []byte, backup bool) error {
	return replace(disk, path, path+tempSuffix, data, 0o644, backup)
}

// ReplacePrivately is ReplaceDurably for a file that only the user may read.
func ReplacePrivately(disk Disk, path string, data []byte) error {
	return replace(disk, path, path+tempSuffix, data, 0o600, false)
}

func replace(disk Disk, path, temp string, data []byte, perm fs.FileMode, backup bool) error {
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

// Plain refuses what is there under a path and is no plain file: a *LinkError. Nothing there is fine.
func Plain(disk Disk, path string) error { return plain(disk, path) }

// PlainFolder refuses what is there under a path and is no folder, as a link to one: a *LinkError. Nothing there is fine.
func PlainFolder(disk Disk, path string) error { return refuseUnless(disk, path, fs.FileMode.IsDir) }

// FreeName is a path, or the path with -2, -3 … behind it where that is taken.
func FreeName(disk Disk, path string) (string, error) { return freeName(disk, path, "") }
