//go:build !windows

package sessions

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes an exclusive flock on f, or returns errHeld. It belongs to the open file, not to the process, so that
// a child which inherits the descriptor keeps it.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// running says whether a process is there; where that cannot be told it is taken to be.
func running(pid int) bool {
	return !errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}
