package tasks

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/cmd/console"
)

// readSettings reads a settings file; one that is not there is empty. A link is refused: the file may be shared with others
// than those who are meant, and replacing the link would part them.
func readSettings(file string) ([]byte, error) {
	for _, path := range []string{filepath.Dir(file), file} {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			return nil, console.UsageError("%s is a link (to %s), which is not followed: enter the hooks there by hand, as docs/hooks.md shows, "+
				"or put a plain file in its place", path, target)
		case path == file && !info.Mode().IsRegular(), path != file && !info.IsDir():
			return nil, console.UsageError("%s is not a plain file in a folder: move %s away, then run the same command again", file, path)
		}
	}
	return os.ReadFile(file)
}

// writeSettings replaces a settings file so that a reader sees the old content or the new. It must be as it was read:
// agent programs write it as well.
func writeSettings(file string, was, is []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Lstat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".settings.json.*")
	if err != nil {
		return err
	}
	_, err = f.Write(is)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if now, readErr := readSettings(file); err == nil && (readErr != nil || !bytes.Equal(now, was)) {
		err = fmt.Errorf("%s changed meanwhile: run the same command again", file)
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
