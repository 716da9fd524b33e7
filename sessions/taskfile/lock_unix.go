//go:build !windows

package taskfile

import "golang.org/x/sys/unix"

// noFollow refuses a link in the place of a file.
const noFollow = unix.O_NOFOLLOW

// lockHome is where all programs of the format look for the lock, whatever TMPDIR says.
func lockHome() string { return "/tmp" }
