package plainfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxHeld is how much of a file is held, in bytes.
const maxHeld = 1 << 20

// Held is a file as it was, to be compared and put back. It can be written as JSON.
type Held struct {
	Mode fs.FileMode `json:"mode"` // permissions, and whether it is a link
	Text []byte      `json:"text"` // of a link, its target
	Size int64       `json:"size"` // bytes; where it is more than Text, the rest is not held
}

// Hold reads a file or a link; nil is that there is neither.
func Hold(path string) (*Held, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h := &Held{Mode: info.Mode() & (fs.ModePerm | fs.ModeSymlink), Size: info.Size()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		h.Text, h.Size = []byte(target), int64(len(target))
		return h, err
	case !info.Mode().IsRegular():
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	h.Text, err = io.ReadAll(io.LimitReader(file, maxHeld))
	return h, err
}

// Same says whether a file is as it was. Of what is not held the size alone is compared.
func (h *Held) Same(now *Held) bool {
	if h == nil || now == nil {
		return h == now
	}
	return h.Mode == now.Mode && h.Size == now.Size && bytes.Equal(h.Text, now.Text)
}

// PutAt makes a path what it was; a nil Held is that there was no file. What was not held as a whole cannot be put back.
func (h *Held) PutAt(path string) error {
	if h != nil && h.Size > int64(len(h.Text)) {
		return fmt.Errorf("%s is too large to be put back: look at it, and run the same command again", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if h == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if h.Mode&fs.ModeSymlink != 0 {
		return os.Symlink(string(h.Text), path)
	}
	if err := os.WriteFile(path, h.Text, 0o600); err != nil {
		return err
	}
	return os.Chmod(path, h.Mode.Perm()) // without what the umask takes away
}

// ChangedAfter says whether a file, or a link, was written, moved or given other rights after a time. Of one that is gone
// nobody knows: false.
func ChangedAfter(path string, t time.Time) bool {
	changed, err := changedAt(path)
	return err == nil && changed.After(t)
}
