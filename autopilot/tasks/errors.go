package tasks

import (
	"errors"
	"strings"

	"autopilot/sessions/taskfile"
)

// failure is why an attempt is not taken, with the category of the log.
type failure struct {
	Category string `json:"category"`
	Why      string `json:"why"`
}

func (f *failure) Error() string { return f.Why }

// lostError says that the task is another worker's meanwhile, or was given up for this one.
type lostError struct{ err error }

func (e *lostError) Error() string { return "the task is no longer this worker's: " + e.err.Error() }

func (e *lostError) Unwrap() error { return e.err }

func taken(err error) bool {
	return errors.Is(err, taskfile.ErrNotYours) || errors.Is(err, taskfile.ErrNotRunning) || errors.Is(err, taskfile.ErrNoTask)
}

func isFailure(err error) bool {
	var failed *failure
	return errors.As(err, &failed)
}

// conflictError says that others changed the same files meanwhile. The task is done again on top, which costs nothing.
type conflictError struct{ paths []string }

func (e *conflictError) Error() string {
	return "others changed the same files meanwhile: " + strings.Join(e.paths, ", ")
}

// LeftError says that nothing is left to do but tasks of a worker whose run is gone. They can be taken up under its name,
// in its working tree, without waiting for the end of its lease.
type LeftError struct{ Worker string }

func (e *LeftError) Error() string {
	return "the run of " + e.Worker + " ended with a task in progress"
}

// NotReadyError says that the working tree cannot be made ready, or that a validation cannot run in it.
type NotReadyError struct{ What, Output, Remedy string }

func (e *NotReadyError) Error() string {
	parts := []string{e.What + "."}
	if e.Output != "" {
		parts = append(parts, "Its last words:\n"+e.Output)
	}
	return strings.Join(append(parts, e.Remedy), "\n")
}
