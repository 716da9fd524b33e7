//go:build !windows

package storage

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes an exclusive flock on f, or returns errHeld. It belongs to the open file, not to the process, so that
// a child which inherits the descriptor keeps it.
func tryLock(f *os.File) error { return flock(f, unix.LOCK_EX) }

// tryShared is tryLock beside others who do the same.
func tryShared(f *os.File) error { return flock(f, unix.LOCK_SH) }

func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
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
