// Package plainfile reads files that somebody else may have put there. A device has no end, a pipe never answers, and a
// link that is committed can lead to any file of whoever runs the program. It also refuses them where autopilot writes.
package plainfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Limit is how large a file may be, in bytes: far above every text that people or agents write.
const Limit = 64 << 20

// ErrNotPlain is what is no plain file: a folder, a device, a pipe, a socket.
var ErrNotPlain = errors.New("it is not a plain file")

// ErrTooLarge is a file above Limit.
var ErrTooLarge = fmt.Errorf("it is larger than %d MB", Limit>>20)

// ErrLeadsOut is a path that leads out of the folder that it is to be in, by a link or by itself.
var ErrLeadsOut = errors.New("it leads out of the folder")

// Unfit says whether a reading failed for what is there: no plain file, one that is too large, a link that leads out or in a
// circle, a path through what is no folder. It fails so until a person changes that; anything else may be read next time.
func Unfit(err error) bool {
	for _, unfit := range []error{ErrNotPlain, ErrTooLarge, ErrLeadsOut, syscall.ENOTDIR, syscall.ELOOP} {
		if errors.Is(err, unfit) {
			return true
		}
	}
	return false
}

// Read reads a plain file. Links to it are followed, wherever they lead.
func Read(path string) ([]byte, error) {
	return read(path, os.Stat, os.Open)
}

// Check says with ErrNotPlain that what a path names is no plain file. What cannot be looked at passes: who opens it is told.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return ErrNotPlain
	}
	return nil
}

// Waits says whether a path is, or leads to, a pipe or a device: who reads it may wait for ever.
func Waits(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// ReadIn reads a plain file of a folder by its path there, with slashes. A link that leads out of the folder is
// an error, ErrLeadsOut.
func ReadIn(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := read(filepath.FromSlash(name), root.Stat, root.Open)
	return data, leadsOut(err)
}

// leadsOut gives the error of a path that leads out its name: the library's own has none, only these words.
func leadsOut(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Err.Error() == "path escapes from parent" {
		return &fs.PathError{Op: "reading", Path: file.Path, Err: ErrLeadsOut}
	}
	return err
}

func read(path string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) ([]byte, error) {
	info, err := stat(path) // before it is opened: opening a pipe waits for somebody to write into it
	if err != nil {
		return nil, err
	}
	if err := fits(info); err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, Limit+1))
	if err == nil && len(data) > Limit {
		err = &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return data, err
}

// ReadJSON decodes a plain file.
func ReadJSON(path string, v any) error {
	data, err := Read(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func fits(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return ErrNotPlain
	case info.Size() > Limit:
		return ErrTooLarge
	}
	return nil
}
