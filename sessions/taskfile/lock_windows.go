package taskfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func lockHome() string { return os.TempDir() }

// stillActive is the exit code of a process that has none yet.
const stillActive = 259

// running says whether a process is there; where that cannot be told it is taken to be.
func running(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return !errors.Is(err, windows.ERROR_INVALID_PARAMETER) // what OpenProcess says of a pid that nobody has
	}
	defer windows.CloseHandle(h)
	var code uint32
	return windows.GetExitCodeProcess(h, &code) != nil || code == stillActive
}

// takeGuard locks a file, which the system frees when its holder dies. It fails while another process has it. The file
// stays: a lock on a deleted file excludes nobody.
func takeGuard(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := holdFile(f, false); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lockOffset lies behind anything that a file holds: Windows forbids others to read a locked range.
const lockOffset = 1 << 30

// holdFile locks an open file until it is closed. Without wait it fails while another has it.
func holdFile(f descriptor, wait bool) error {
	var flags uint32 = windows.LOCKFILE_EXCLUSIVE_LOCK
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockOffset})
}
