package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"autopilot/autopilot/process/supervise"
)

// treeMark is in the environment of every command, and so of all that it starts.
// Where the supervisor itself was killed its tree is found by it: by then it is
// anybody's children. What empties its environment is found by its cgroup alone; a
// supervisor that lives needs neither.
const treeMark = "TREE_OF_AUTOPILOT"

// markPatience is how long marked processes are killed before they are let be.
const markPatience = 5 * time.Second

// markOf tells trees apart: those of one lock begin alike.
func markOf(lock *os.File, secret string) string { return lockMark(lock) + secret }

// lockMark names a lock by its file, since a path means another one in a container.
func lockMark(lock *os.File) string {
	if lock == nil {
		return "none:"
	}
	info, err := lock.Stat()
	if err != nil {
		return "none:"
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "none:"
	}
	return fmt.Sprintf("%x.%x:", stat.Dev, stat.Ino)
}

func marked(env []string, mark string) []string { return append(env, treeMark+"="+mark) }

// endMarked kills what has a mark that begins so, until nothing is left. It names what it found, and the rest that
// does not end.
func endMarked(mark string, kill func(pid int, s syscall.Signal) error, patience time.Duration) (found, rest []string) {
	known := map[int]bool{}
	for elapsed := Stopwatch(); ; {
		pids := markedProcesses(mark)
		for _, pid := range pids {
			if !known[pid] {
				known[pid] = true
				found = append(found, describe(pid))
			}
		}
		if (len(pids) == 0 && supervise.RemoveGroups(mark)) || elapsed() >= patience {
			for _, pid := range pids {
				rest = append(rest, describe(pid))
			}
			return found, rest
		}
		for _, pid := range pids {
			_ = kill(pid, syscall.SIGKILL)
		}
		<-time.After(killPause)
	}
}

// endOf is endMarked for what an earlier run that held the lock left.
func endOf(lock *os.File) (found, rest []string) {
	mark := lockMark(lock)
	if mark == lockMark(nil) {
		return nil, nil
	}
	return endMarked(mark, syscall.Kill, markPatience)
}

// supervisorMark is in the environment of every supervisor, with the mark of its lock.
const supervisorMark = "SUPERVISOR_OF_AUTOPILOT"

func supervisorMarked(env []string, lock *os.File) []string {
	return append(env, supervisorMark+"="+lockMark(lock))
}

// freeLock has the supervisors end that still hold a lock: what they watch is ended, which lets go of one that it traces,
// and one that it stopped is continued.
func freeLock(lock *os.File) {
	if _, rest := endOf(lock); len(rest) > 0 {
		return
	}
	for _, pid := range processesWith("environ", "\x00"+supervisorMark+"="+lockMark(lock)) {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
}

// describe names a process for people: its id, and what it calls itself.
func describe(pid int) string {
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return fmt.Sprintf("%d (%s)", pid, strings.ToValidUTF8(strings.TrimSpace(string(name)), "?"))
}

// markedProcesses finds the mark in the environment, or in the name of the cgroup, which also a process without an
// environment is in.
func markedProcesses(mark string) []int {
	found := append(processesWith("environ", "\x00"+treeMark+"="+mark), processesWith("cgroup", "/"+supervise.GroupName(mark))...)
	slices.Sort(found)
	return slices.Compact(found)
}

// processesWith finds the living processes of whom a file of /proc holds a text.
func processesWith(file, text string) (found []int) {
	for _, children := range supervise.FamilyTree() { // all that live
		for _, pid := range children {
			content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
			if pid != os.Getpid() && err == nil && bytes.Contains(append([]byte{0}, content...), []byte(text)) {
				found = append(found, pid)
			}
		}
	}
	return found
}
