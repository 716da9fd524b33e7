package tasks

import (
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/worktree"
)

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
	OldTests                      string // whether they are run on the new code: checks.OldTestsOn and so on
	Trees                         string // a folder outside of the repository, for working trees that may be removed at any time; "" where none is made
}

// InitScript makes the working tree ready; it lies beside the task file.
const InitScript = "harness-init.sh"

// Branch is where a list is worked through in a working tree that has the default branch, or none, checked out.
const Branch = "autopilot/tasks"
