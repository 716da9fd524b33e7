//go:build !windows

package taskfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockHome is where all programs of the format look for the lock, whatever TMPDIR says.
func lockHome() string { return "/tmp" }

// running says whether a process is there.
func running(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// takeGuard locks a file, which the kernel frees when its holder dies. It fails while another process has it. The file
// stays: a lock on a deleted file excludes nobody.
func takeGuard(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	if err := holdFile(f, false); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// holdFile locks an open file until it is closed. Without wait it fails while another has it.
func holdFile(f descriptor, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
