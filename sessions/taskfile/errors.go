package taskfile

import (
	"fmt"
	"time"
)

// CorruptError says that neither the task file nor its backup can be read. Nothing was changed.
type CorruptError struct {
	Path   string
	Why    error // what is wrong with the file
	Backup error // and with its backup
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s corrupted and unrecoverable: %s: %v; no backup helps (%v): "+
		"put a good copy there, or move it away and begin a new one with `autopilot tasks init`", FileName, e.Path, e.Why, e.Backup)
}

func (e *CorruptError) Unwrap() error { return e.Why }

// BusyLockError says that somebody else held the transaction lock for as long as it was waited for. PID is 0 when nobody
// said who.
type BusyLockError struct {
	Path   string
	PID    int
	Waited time.Duration
}

func (e *BusyLockError) Error() string {
	who := "another process"
	if e.PID > 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("lock busy: %s has held the task file for more than %s: try again; "+
		"where that process has nothing to do with it, remove the folder %s", who, e.Waited, e.Path)
}
