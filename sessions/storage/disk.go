package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/plainfile"
)

// OSDisk is the Disk of the operating system. What it writes and removes below a .harness it reaches by no link that leads out
// of the folder around that.
type OSDisk struct{}

// OpenFile opens a file.
func (OSDisk) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := plainfile.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadFile reads a whole file.
func (OSDisk) ReadFile(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // a pipe would never answer
		return nil, &plainfile.LinkError{Path: name}
	}
	return os.ReadFile(name)
}

// ReadDir lists a folder by name.
func (OSDisk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Lstat describes a file without following links.
func (OSDisk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Mkdir makes a folder that is not there.
func (OSDisk) Mkdir(name string, perm fs.FileMode) error {
	return plainfile.InHome(name, func(root *os.Root, rel string) error { return root.Mkdir(rel, perm) }, func() error { return os.Mkdir(name, perm) })
}

// MkdirAll makes a folder and those above it.
func (OSDisk) MkdirAll(name string, perm fs.FileMode) error { return plainfile.MkdirAll(name, perm) }

// Rename renames a file within a folder, or beside it, replacing what has the new name.
func (OSDisk) Rename(from, to string) error {
	return plainfile.InHome(to, func(root *os.Root, rel string) error {
		old, err := filepath.Rel(root.Name(), from)
		if err != nil {
			return err
		}
		return root.Rename(old, rel)
	}, func() error { return os.Rename(from, to) })
}

// Link gives a file a second name.
func (OSDisk) Link(from, to string) error { return os.Link(from, to) }

// Remove removes a file.
func (OSDisk) Remove(name string) error {
	return plainfile.InHome(name, func(root *os.Root, rel string) error { return root.Remove(rel) }, func() error { return os.Remove(name) })
}

// RemoveAll removes a folder with all that is in it.
func (OSDisk) RemoveAll(name string) error { return plainfile.RemoveAll(name) }

// SyncFolder makes the names in a folder durable, where the platform can.
func (OSDisk) SyncFolder(name string) error { return syncFolder(name) }

// WriteTemp writes data to a new file and, if durable, waits until the disk has it. On an error nothing stays behind.
func WriteTemp(disk Disk, path string, data []byte, perm fs.FileMode, durable bool) error {
	if err := RemoveIfThere(disk, path); err != nil {
		return err
	}
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = disk.Remove(path)
	}
	return err
}

// ReplaceFile writes a file so that a reader sees the old content or the new, never a part.
func ReplaceFile(disk Disk, path string, data []byte, durable bool) error {
	temp := path + TempSuffix
	if err := WriteTemp(disk, temp, data, plainfile.PrivateFile, durable); err != nil {
		return err
	}
	if err := disk.Rename(temp, path); err != nil {
		_ = disk.Remove(temp)
		return err
	}
	return nil
}

// RemoveIfThere removes a file, if it is there.
func RemoveIfThere(disk Disk, path string) error {
	if err := disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
