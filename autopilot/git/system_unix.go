//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// apart starts a command in a session of its own: a Ctrl-C at the terminal does not tear its writes, a program that
// asks for a password finds no terminal to hang on, and all its children can be ended together.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// endGently asks the command and its children to end; git then removes its lock files.
func endGently(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// endAll ends whatever is left of the command and its children.
func endAll(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// over tells whether the command has ended and was waited for.
func over(cmd *exec.Cmd) bool {
	return errors.Is(cmd.Process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
