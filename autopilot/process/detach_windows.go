package process

import (
	"os/exec"

	"golang.org/x/sys/windows"
)

// Detach lets a command go on when this process ends, and hear none of the keys of its terminal.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &windows.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
