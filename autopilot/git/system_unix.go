//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// apart starts a command in a session of its own: a Ctrl-C at the terminal does not tear its writes, a program that
// asks for a password finds no terminal to hang on, and all its children can be ended together.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// endGently asks the command and its children to end; git then removes its lock files.
func endGently(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// endAll ends whatever is left of the command and its children.
func endAll(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// over tells whether the command has ended and was waited for.
func over(cmd *exec.Cmd) bool {
	return errors.Is(cmd.Process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

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
