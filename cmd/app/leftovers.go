package app

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/process"
	"autopilot/autopilot/words"
	"autopilot/sessions/storage"
)

// TakeLock opens what a lock protects. Where only supervisors of a killed run keep the lock, it has them end and tries again.
func TakeLock[T any](open func() (T, error)) (T, error) {
	opened, err := open()
	if locked, is := errors.AsType[*storage.LockedError](err); is && locked.Dead() {
		process.FreeLock(locked.Path)
		return open()
	}
	return opened, err
}

// EndLeft ends the processes that an earlier run left, and says so. The caller holds the lock of that run. The error is a
// *process.LeftError.
func EndLeft(lock *os.File, report journal.Reporter) error {
	ended, err := process.EndLeft(lock)
	if len(ended) > 0 {
		report.Report(journal.Note{Event: "warning", Text: fmt.Sprintf("The last run and its supervisor were killed, and processes of it lived on. Ended: %s.",
			strings.Join(words.FirstFew(ended, 8), ", "))})
	}
	return err
}
