//go:build !windows

package storage

import (
	"errors"

	"golang.org/x/sys/unix"
)

// HoldFile locks an open file until it is closed; without wait it fails while another has it. The lock belongs to the open
// file, not to the process, so that a child which inherits the descriptor keeps it.
func HoldFile(f Descriptor, wait bool) error {
	if wait {
		return flock(f, unix.LOCK_EX)
	}
	return flock(f, unix.LOCK_EX|unix.LOCK_NB)
}

// tryShared is HoldFile beside others who do the same, without wait.
func tryShared(f Descriptor) error { return flock(f, unix.LOCK_SH|unix.LOCK_NB) }

func flock(f Descriptor, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// Running says whether a process is there.
func Running(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
