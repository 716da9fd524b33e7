package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// adoptsOrphans: a subreaper becomes the parent of every descendant that loses
// its own, whatever session or group that put itself in, so that a supervisor
// without children is one without descendants.
const adoptsOrphans = true

func adoptOrphans() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// commandAttributes: the death signal ends at least the command itself where
// somebody kills its supervisor.
func commandAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// selfProgram is the running program even when its file was replaced meanwhile.
func selfProgram() string { return "/proc/self/exe" }

// living lists this process's descendants that have not ended, parents before
// children. The command's own id is not needed for it here.
func living(int) []int {
	children := familyTree()
	var found []int
	for queue := children[os.Getpid()]; len(queue) > 0; queue = queue[1:] {
		found = append(found, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return found
}

// familyTree reads /proc: the living children of each process. What vanishes
// meanwhile is left out.
func familyTree() map[int][]int {
	children := map[int][]int{}
	proc, err := os.Open("/proc")
	if err != nil {
		return children
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if stat, err := os.ReadFile("/proc/" + name + "/stat"); err == nil {
			if parent, alive := readStat(stat); alive {
				children[parent] = append(children[parent], pid)
			}
		}
	}
	return children
}

// readStat takes the state and the parent from "pid (name) state ppid …". The
// name may hold spaces and parentheses, so the last one counts.
func readStat(stat []byte) (parent int, alive bool) {
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	fields := bytes.Fields(rest)
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	state := fields[0][0]
	return parent, err == nil && state != 'Z' && state != 'X'
}
