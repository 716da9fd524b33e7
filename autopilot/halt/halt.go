// Package halt has the errors that end a run before its work is done, and that somebody decides on: each has an exit code of its
// own (cmd/console), and its text ends with what to do. A budget's limit is package budget's.
package halt

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

// ErrNobody says that no person can be asked: there is no terminal.
var ErrNobody = errors.New("nobody can be asked here")

// ErrStop says that the person wants to leave the question open and end the run.
var ErrStop = errors.New("stopped at a question")

// UsageError is a spec, a configuration, an argument or a repository that does not fit; it ends with what to do.
type UsageError struct {
	Message string
	Err     error
}

func (e *UsageError) Error() string { return e.Message }
func (e *UsageError) Unwrap() error { return e.Err }

// Usage is a UsageError with these words.
func Usage(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// WaitingError says that a question is open which only a human can answer.
type WaitingError struct {
	Gate  machine.Gate
	Spec  string
	Asked bool // a person was asked, and stopped
}

func (e *WaitingError) Error() string {
	if e.Gate.YourTurn != nil {
		return e.Gate.Question
	}
	return fmt.Sprintf("waiting for an answer to %s: %s", e.Gate.Kind, e.Gate.Question)
}

// CredentialsError says that the backend refuses the credentials.
type CredentialsError struct {
	Backend, Detail string
	Remedy          string // "" is to check the key
}

func (e *CredentialsError) Error() string {
	remedy := cmp.Or(e.Remedy, "Check the key that it is configured with.")
	return fmt.Sprintf("backend %s refuses the credentials: %s. %s Then run the same command again", e.Backend, strings.TrimSuffix(e.Detail, "."), remedy)
}

// NoBackendError says that no backend is there to play a persona. One that was named ends its reason with what to mend;
// where none was named, the error tells how to name one.
type NoBackendError struct {
	Reason string
	Named  bool
}

func (e *NoBackendError) Error() string {
	if e.Named {
		return e.Reason
	}
	return strings.Join([]string{
		e.Reason + ".",
		"Or set OPENAI_API_KEY (for your own server, OPENAI_BASE_URL) and name a model with --model.",
		"To see a whole run without any of that: autopilot demo",
	}, "\n")
}

// StoppedError says that a person wished the run to stop (autopilot stop); everything is saved.
type StoppedError struct{ Where string } // task 2 of 5 (Parse the rules)

func (e *StoppedError) Error() string { return "stopped by you during " + e.Where }

// InterruptedError says that the run was stopped from outside (Ctrl-C); everything is saved.
type InterruptedError struct{ Cause error }

func (e *InterruptedError) Error() string {
	return "stopped; everything is saved, and the same command goes on"
}
func (e *InterruptedError) Unwrap() error { return e.Cause }
