package storage

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// started is when a process was started; "" where there is none.
func started(pid int) string {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	at := p.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec)
}

func terminal() string { return "" } // the system has no name for it without a call into C
