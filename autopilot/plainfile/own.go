package plainfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LinkError says that a symbolic link or a special file is in the place of a file or folder that autopilot writes. It is
// neither followed nor replaced.
type LinkError struct{ Path string }

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is not a plain file or folder of the session: move it away and run again", e.Path)
}

// Folder refuses what is there and is no folder, as a link to one: a *LinkError. Nothing there is fine.
func Folder(path string) error { return refuseUnless(path, fs.FileMode.IsDir) }

// File refuses what is there and is no plain file, as a link to one: a *LinkError. Nothing there is fine.
func File(path string) error { return refuseUnless(path, fs.FileMode.IsRegular) }

func refuseUnless(path string, good func(fs.FileMode) bool) error {
	info, err := os.Lstat(path)
	return Refuse(path, info, err, good)
}

// Refuse is the verdict on a path by what Lstat returned for it: a *LinkError unless its mode is good. Nothing there is fine.
func Refuse(path string, info fs.FileInfo, err error, good func(fs.FileMode) bool) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !good(info.Mode()):
		return &LinkError{Path: path}
	}
	return err
}

// Rel is a file's path from a folder, with slashes; where there is none, the path as it is.
func Rel(folder, file string) string {
	name, err := filepath.Rel(folder, file)
	if err != nil {
		name = file
	}
	return filepath.ToSlash(name)
}

// RelTo is a file's path from the first of some folders that it lies in, with slashes; from the last where it lies in none.
func RelTo(file string, folders ...string) (name string) {
	for _, folder := range folders {
		if name = Rel(folder, file); filepath.IsLocal(filepath.FromSlash(name)) {
			break
		}
	}
	return name
}
