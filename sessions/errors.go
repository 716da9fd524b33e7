package sessions

import (
	"errors"
	"fmt"
)

// ErrNoSession is what Open and Read return where no session was ever recorded.
var ErrNoSession = errors.New("there is no session here: start one with `autopilot SPEC.md`")

// ErrSessionExists is what Create returns where a session is recorded already.
var ErrSessionExists = errors.New("a session is recorded here already: run the same command to resume it, or add --restart")

// ErrAnswerWaiting is what PostAnswer returns when the gate has an answer that nobody took yet.
var ErrAnswerWaiting = errors.New("an answer to this gate is waiting already: resume the session so that it is taken")

// UnreadableError says that a session's files hold damage that no crash explains. Offset is the byte in the file where
// it begins. Nothing was changed.
type UnreadableError struct {
	Path   string
	Offset int64
	Why    string
	Err    error // the cause, if another error told
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("%s is damaged at byte %d: %s\nRestore the file from a backup. Or archive the session and start over:\n  autopilot SPEC.md --restart", e.Path, e.Offset, e.Why)
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// NewerError says that a newer program wrote the file.
type NewerError struct {
	Path    string
	Version int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer autopilot (schema version %d): update autopilot, then run it again", e.Path, e.Version)
}

// JournalError says that the disk refused to keep an event, so that nobody knows whether it is recorded. The session
// takes no more events; the next Open decides from what is on the disk.
type JournalError struct {
	Path string
	Err  error
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("the disk did not keep the last entry of %s (%v): check the disk, then run the same command to resume", e.Path, e.Err)
}

func (e *JournalError) Unwrap() error { return e.Err }
