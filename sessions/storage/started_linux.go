package storage

import (
	"fmt"
	"os"
	"strings"
)

// started is when a process was started, in ticks since the boot of the machine; "" where there is none.
func started(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ") // its name may have anything in it
	if fields := strings.Fields(after); len(fields) > 19 {
		return fields[19]
	}
	return ""
}

// terminal is the one at which this process was started.
func terminal() string {
	for _, fd := range []string{"0", "2"} {
		if name, err := os.Readlink("/proc/self/fd/" + fd); err == nil && (strings.HasPrefix(name, "/dev/pts/") || strings.HasPrefix(name, "/dev/tty")) {
			return name
		}
	}
	return ""
}
