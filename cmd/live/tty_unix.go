//go:build unix

package live

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"autopilot/cmd/console"
)

// singleKeys has a terminal hand over each key at once and unseen. Ctrl-C and Ctrl-Z stay what they are.
func singleKeys(terminal *os.File) (restore func() error, err error) {
	fd := int(terminal.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	t.Lflag &^= unix.ICANON | unix.ECHO
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return func() error { return term.Restore(fd, before) }, unix.IoctlSetTermios(fd, setTermios, t)
}

// inForeground says whether the terminal is this process's to draw on: a shell that put the run into the background has it.
func inForeground(h *console.Host) bool {
	in, is := h.In.(*os.File)
	if !is {
		return true
	}
	group, err := unix.IoctlGetInt(int(in.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// notices tell of a terminal that has another size, and of Ctrl-Z; forget ends them.
func notices(suspended chan<- os.Signal) (resized <-chan os.Signal, forget func()) {
	size := make(chan os.Signal, 1)
	signal.Notify(size, unix.SIGWINCH)
	signal.Notify(suspended, unix.SIGTSTP)
	return size, func() { signal.Stop(size); signal.Stop(suspended) }
}

// suspend stops the process as Ctrl-Z does, with the terminal as it was, and goes on once it is continued.
func (l *Live) suspend() {
	back := func() {}
	if l.terminal.TryLock() { // else a question has it, and left it as it was
		back = l.yield(&l.covered)
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, unix.SIGCONT)
	defer signal.Stop(continued)
	if unix.Kill(os.Getpid(), unix.SIGSTOP) == nil { // Go does not give SIGTSTP back its default
		<-continued
	}
	back()
}
