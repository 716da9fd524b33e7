package supervise

import (
	"os"
	"strconv"
	"syscall"
)

// adoptsOrphans: a subreaper becomes the parent of every descendant that loses
// its own, whatever session or group that put itself in, so that a supervisor
// without children is one without descendants.
const adoptsOrphans = true

func adoptOrphans() error {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER of prctl(2)
	if _, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, setChildSubreaper, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// commandAttributes: the death signal ends at least the command itself where
// somebody kills its supervisor.
func commandAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Living lists the supervisor's descendants that have not ended, parents before
// children. The command's own id is not needed for it here.
func Living(supervisor, _ int) []int {
	children := FamilyTree()
	var found []int
	for queue := children[supervisor]; len(queue) > 0; queue = queue[1:] {
		found = append(found, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return found
}

// FamilyTree reads /proc: the living children of each process. What vanishes
// meanwhile is left out.
func FamilyTree() map[int][]int {
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
	at := len(stat) - 1
	for at >= 0 && stat[at] != ')' {
		at--
	}
	rest := stat[at+1:]
	if len(rest) < 4 || rest[0] != ' ' || rest[2] != ' ' {
		return 0, false
	}
	end := 3
	for end < len(rest) && rest[end] != ' ' {
		end++
	}
	parent, err := strconv.Atoi(string(rest[3:end]))
	state := rest[1]
	return parent, err == nil && state != 'Z' && state != 'X'
}
