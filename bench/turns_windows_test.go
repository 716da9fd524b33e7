package bench

import (
	"os"

	"golang.org/x/sys/windows"
)

// takeTurn waits until nobody else has the file's turn, which ends with the process that took it.
func takeTurn(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
}
