//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Detach lets a command go on when this process ends, and hear none of the keys of its terminal.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
