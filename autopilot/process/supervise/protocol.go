// Package supervise is the supervisor that a second start of the program becomes: it runs one command, sees to it that
// nothing of its tree is left, and tells how it ended. It imports little, and nothing that takes time to be made ready,
// since each command that is run waits for it.
package supervise

import (
	"syscall"
	"time"
)

// Marker is the environment variable that tells a second start of the program
// to be a supervisor. It counts only together with the pipe and the secret that
// Run hands over, and is never in a command's environment.
const Marker = "AUTOPILOT_SUPERVISOR"

// Request is the first message to a supervisor. An order follows to end the
// tree; the end of the file means that the caller died.
type Request struct {
	Secret string
	Path   string
	Argv   []string
	Dir    string
	Env    []string
	Grace  time.Duration
	Ended  string // the file to make where the caller died first; "" makes none
	Group  string // the name of a cgroup for the command; "" is none
}

// Report comes from the supervisor: first that the command started or why not,
// then how it ended.
type Report struct {
	Pid     int
	Failure string // why it did not start
	Errno   int    // the system's number for Failure, 0 when there is none

	Done    bool
	Code    int
	Signal  syscall.Signal // that ended it; 0 when none did
	Stopped bool
	Left    []int
}
