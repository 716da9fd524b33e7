package storage

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockOffset lies behind anything that the file holds: Windows forbids others to read a locked range.
const lockOffset = 1 << 30

// tryLock takes an exclusive lock on f, or returns errHeld.
func tryLock(f *os.File) error { return lockAs(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// tryShared is tryLock beside others who do the same.
func tryShared(f *os.File) error { return lockAs(f, 0) }

func lockAs(f *os.File, how uint32) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{Offset: lockOffset})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

// running takes every process to be there: on Windows a child dies with its program, and nobody has to wait.
func running(int) bool { return true }
