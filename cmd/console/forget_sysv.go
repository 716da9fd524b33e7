//go:build aix || linux || solaris

package console

import "golang.org/x/sys/unix"

// forgetTyped throws away what was typed at a terminal and not read yet, a line without its Enter included.
func forgetTyped(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
