package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// treeMark is in the environment of every command, and so of all that it starts.
// Where the supervisor itself was killed its tree is found by it: by then it is
// anybody's children. What empties its environment is not found; a supervisor
// that lives does not need the mark.
const treeMark = "TREE_OF_AUTOPILOT"

// markPatience is how long marked processes are killed before they are let be.
const markPatience = 10 * time.Second

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

// endMarked kills what has a mark that begins so, until nothing is left, and says
// whether there was something.
func endMarked(mark string) (found bool) {
	for waited := time.Duration(0); waited < markPatience; waited += killPause {
		pids := markedProcesses(mark)
		if len(pids) == 0 {
			break
		}
		found = true
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		<-time.After(killPause)
	}
	return found
}

// endOf is endMarked for what an earlier run that held the lock left.
func endOf(lock *os.File) bool {
	mark := lockMark(lock)
	return mark != lockMark(nil) && endMarked(mark)
}

func markedProcesses(mark string) []int {
	entry := []byte("\x00" + treeMark + "=" + mark)
	var found []int
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if env, err := os.ReadFile(path); err == nil && bytes.Contains(append([]byte{0}, env...), entry) {
			found = append(found, pid)
		}
	}
	return found
}
