package console

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/git"
	"autopilot/autopilot/git/gitdir"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/process"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/storage"
	"autopilot/sessions/taskfile"
	"autopilot/spec/markdown"
)

// ExitCode is the one place where an error becomes an exit code (DESIGN: the command line).
func ExitCode(ctx context.Context, err error) int {
	code, known := knownCode(ctx, err)
	if !known && inTheWay(err) {
		return 2
	}
	return code
}

// knownCode is the exit code of an error whose kind tells it; of any other it is 1. Such kinds say themselves what to do.
func knownCode(ctx context.Context, err error) (code int, known bool) {
	coded, isCoded := errors.AsType[*CodedError](err)
	limit, isLimit := errors.AsType[*budget.LimitError](err)
	switch {
	case err == nil:
		return 0, true
	case isCoded:
		return coded.Code, true
	case is[*halt.InterruptedError](err):
		if s, ok := SignalOf(ctx); ok {
			return SignalCode(s), true
		}
		return 130, true
	case is[*halt.WaitingError](err), is[*halt.StoppedError](err):
		return 3, true
	case isLimit && !limit.Gone:
		return 5, true
	case isLimit, is[*halt.CredentialsError](err), is[*halt.NoBackendError](err):
		return 4, true
	case is[*storage.LockedError](err), is[*taskfile.BusyLockError](err), is[*process.LeftError](err):
		return 6, true
	case is[*sessions.UnreadableError](err), is[*sessions.NewerError](err), is[*taskfile.CorruptError](err):
		return 7, true
	case is[*halt.UsageError](err), is[*machine.AnswerError](err), is[*markdown.ParseError](err), is[*config.Error](err),
		is[*git.NoRepositoryError](err), is[*git.LineBreakError](err), is[*gitdir.NotPlainError](err), is[*git.WorktreeElsewhereError](err),
		is[*plainfile.LinkError](err), is[*git.NoCommitError](err), is[*git.NoIdentityError](err), is[*git.MissingObjectError](err):
		return 2, true
	}
	return 1, false
}

// is says whether an error is one of a type, or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// CodedError is an error whose exit code is known where it is made; a nil err prints nothing.
type CodedError struct {
	Code int
	Err  error
}

// Exit ends a command with a code, and no word; 0 is no error.
func Exit(code int) error {
	if code == 0 {
		return nil
	}
	return &CodedError{Code: code}
}

func (e *CodedError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *CodedError) Unwrap() error { return e.Err }

// UsageError is a wrong use of the command line; it ends with what to do.
func UsageError(format string, args ...any) error {
	return &halt.UsageError{Message: fmt.Sprintf(format, args...)}
}
