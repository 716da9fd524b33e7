//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package console

import "golang.org/x/sys/unix"

// forgetTyped throws away what was typed at a terminal and not read yet, a line without its Enter included.
func forgetTyped(fd int) error {
	const input = 1 // FREAD of sys/fcntl.h: of the two queues the one that is read
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, input)
}
