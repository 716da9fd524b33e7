package tasks

import (
	"context"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/worktree"
	"autopilot/sessions/taskfile"
)

// File is the task file and what lies beside it.
type File interface {
	Read() (taskfile.TaskList, error)
	// Update reads the list, changes it and writes it while no other program does. An error of change writes nothing.
	Update(ctx context.Context, change func(*taskfile.TaskList) error) error
	// Keep reads the list, and keeps a copy of the file under a path from now on.
	Keep(ctx context.Context, path string) (taskfile.TaskList, error)
	// BringBack writes the file anew from that copy where it is gone or one from before the run, and says whether it did.
	BringBack(ctx context.Context) (bool, error)
	// Log appends a line to harness-progress.txt; session is the number of the run.
	Log(session int, line journal.ProgressLine) error
	// LastLines are the last lines of that log.
	LastLines(n int) []string
	// Activate and Finish set and remove the marker that tells hooks that there is work.
	Activate() error
	Finish() error
}

// Settings are what a loop decides by.
type Settings struct {
	Lease                         time.Duration // how long a claim holds without a sign of life
	Idle, Dispatch, Hook, Cleanup time.Duration
	Validation                    time.Duration // of a task that names no time-out; 0 is that of package validate
	Turns                         int
	Limits                        budget.Limits // Session: of this run; Phase: of no use here
	LongestWait                   time.Duration // for a backend's limit to end; 0: none is waited out
	SkipUnvalidated               bool          // pass over tasks without a validation instead of stopping there
	Furnishing                    worktree.Setup
}

// InitScript makes the working tree ready; it lies beside the task file.
const InitScript = "harness-init.sh"
