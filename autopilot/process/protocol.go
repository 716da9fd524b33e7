package process

import "time"

// marker is the environment variable that tells a second start of the program
// to be a supervisor. It counts only together with the pipe and the secret that
// Run hands over, and is never in a command's environment.
const marker = "AUTOPILOT_SUPERVISOR"

// request is the first message to a supervisor, in encoding/gob so that
// arguments and paths which are no valid UTF-8 survive. An order follows to end
// the tree; the end of the file means that the caller died.
type request struct {
	Secret string
	Path   string
	Argv   []string
	Dir    string
	Env    []string
	Grace  time.Duration
	Ended  string // the file to make where the caller died first; "" makes none
}

// order asks the supervisor to end the tree politely.
type order struct{ Stop bool }

// report comes from the supervisor: first that the command started or why not,
// then how it ended.
type report struct {
	Pid     int
	Failure string // why it did not start
	Errno   int    // the system's number for Failure, 0 when there is none

	Done    bool
	Code    int
	Signal  string
	Stopped bool
	Left    []int
}
