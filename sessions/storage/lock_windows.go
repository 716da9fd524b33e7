package storage

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockOffset lies behind anything that a file holds: Windows forbids others to read a locked range.
const lockOffset = 1 << 30

// HoldFile locks an open file until it is closed; without wait it fails while another has it.
func HoldFile(f Descriptor, wait bool) error {
	if wait {
		return lockAs(f, windows.LOCKFILE_EXCLUSIVE_LOCK)
	}
	return lockAs(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}

// tryShared is HoldFile beside others who do the same, without wait.
func tryShared(f Descriptor) error { return lockAs(f, windows.LOCKFILE_FAIL_IMMEDIATELY) }

func lockAs(f Descriptor, how uint32) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{Offset: lockOffset})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errHeld
	}
	return err
}

// stillActive is the exit code of a process that has none yet.
const stillActive = 259

// Running says whether a process is there; where that cannot be told it is taken to be.
func Running(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return !errors.Is(err, windows.ERROR_INVALID_PARAMETER) // what OpenProcess says of a pid that nobody has
	}
	defer windows.CloseHandle(h)
	var code uint32
	return windows.GetExitCodeProcess(h, &code) != nil || code == stillActive
}
