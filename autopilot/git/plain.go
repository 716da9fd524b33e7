package git

import (
	"io"
	"io/fs"
	"os"
)

// maxPlain is how much is read of a file of git's that holds settings or names, in bytes: far above what any has.
const maxPlain = 16 << 20

// readPlain reads a file of git's. A pipe would have the reader wait for ever, and a device has no end: neither is opened.
func readPlain(path string) ([]byte, error) {
	if !isPlainOrGone(path) {
		return nil, notPlain(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPlain+1))
	if err == nil && len(text) > maxPlain {
		err = notPlain(path)
	}
	return text, err
}

func notPlain(path string) error { return &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid} }

// isPlainOrGone says whether a path names a regular file, also by a link, or nothing that can be looked at: who opens that
// is told why.
func isPlainOrGone(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// waits says whether a path is, or leads to, a pipe or a device: who reads it may wait for ever.
func waits(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}
