package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// In calls a function with a folder that was opened, and the path of a file in it: the methods of os.Root follow no link that
// leads out, also while somebody makes one. Where one is met, that is a *LinkError.
func In(folder, path string, do func(root *os.Root, name string) error) error {
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	err = do(root, name)
	if err != nil && strings.Contains(err.Error(), "path escapes from parent") { // the library has no other sign
		return &LinkError{Path: path}
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok { // as package os says it
		file.Op, file.Path = strings.TrimSuffix(file.Op, "at"), path
	}
	return err
}

// InHome is In for a path below a .harness, with the folder that this lies in. For any other path it calls another function.
func InHome(path string, do func(root *os.Root, name string) error, otherwise func() error) error {
	const name = string(filepath.Separator) + ".harness"
	i := strings.LastIndex(path+string(filepath.Separator), name+string(filepath.Separator))
	if i < 1 {
		return otherwise()
	}
	if _, err := os.Stat(path[:i]); err != nil {
		return otherwise()
	}
	return In(path[:i], path, do)
}

// OpenFile is os.OpenFile that follows no link out of the folder that a .harness lies in.
func OpenFile(path string, flag int, mode fs.FileMode) (file *os.File, err error) {
	err = InHome(path, func(root *os.Root, name string) error {
		file, err = root.OpenFile(name, flag, mode)
		return err
	}, func() error {
		file, err = os.OpenFile(path, flag, mode)
		return err
	})
	return file, err
}

// WriteIn makes a file of a folder what it is to be. A link in its place, or on the way out of the folder, is not followed.
func WriteIn(folder, path string, data []byte, mode fs.FileMode) error {
	return In(folder, path, func(root *os.Root, name string) error {
		if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
			if err := root.Remove(name); err != nil {
				return err
			}
		}
		folders := fs.FileMode(0o755)
		if mode == PrivateFile {
			folders = PrivateFolder
		}
		if err := root.MkdirAll(filepath.Dir(name), folders); err != nil {
			return err
		}
		return root.WriteFile(name, data, mode)
	})
}

// MkdirAll is os.MkdirAll that follows no link out of the folder that a .harness lies in.
func MkdirAll(path string, mode fs.FileMode) error {
	return InHome(path, func(root *os.Root, name string) error { return root.MkdirAll(name, mode) }, func() error { return os.MkdirAll(path, mode) })
}

// RemoveAll is os.RemoveAll that follows no link out of the folder that a .harness lies in.
func RemoveAll(path string) error {
	return InHome(path, func(root *os.Root, name string) error { return root.RemoveAll(name) }, func() error { return os.RemoveAll(path) })
}
