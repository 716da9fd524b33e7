package tasks

import (
	"context"

	"autopilot/autopilot/journal"
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
