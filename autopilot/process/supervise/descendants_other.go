//go:build unix && !linux

package supervise

import "syscall"

// adoptsOrphans: without a subreaper orphans go to init, and only the process
// group of the command can be reached. What starts a group of its own survives.
const adoptsOrphans = false

func adoptOrphans() error { return nil }

func commandAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// Living gives the command's process group in the form that kill wants it, or
// nothing when nobody is in it.
func Living(_, command int) []int {
	if command == 0 || syscall.Kill(-command, 0) == syscall.ESRCH { // 0: it was not reported
		return nil
	}
	return []int{-command}
}
