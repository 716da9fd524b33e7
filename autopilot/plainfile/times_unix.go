//go:build unix

package plainfile

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// changedAt is the later of the times at which a file's contents and its entry changed: a file that is moved keeps the
// first one.
func changedAt(path string) (time.Time, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return time.Time{}, &os.PathError{Op: "lstat", Path: path, Err: err}
	}
	written, entry := time.Unix(st.Mtim.Unix()), time.Unix(st.Ctim.Unix())
	if entry.After(written) {
		return entry, nil
	}
	return written, nil
}

// Inode is the number of a file or folder in its file system, which its copy does not have; 0: not known.
func Inode(path string) uint64 {
	var st unix.Stat_t
	_ = unix.Stat(path, &st) // else it stays 0
	return st.Ino
}
