package console

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
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
	var (
		coded       *CodedError
		waiting     *halt.WaitingError
		limit       *budget.LimitError
		credentials *halt.CredentialsError
		noBackend   *halt.NoBackendError
		interrupted *halt.InterruptedError
		usage       *halt.UsageError
		refused     *machine.AnswerError
		locked      *storage.LockedError
		unreadable  *sessions.UnreadableError
		newer       *sessions.NewerError
		corrupt     *taskfile.CorruptError
		busy        *taskfile.BusyLockError
		link        *plainfile.LinkError
		bad         *markdown.ParseError
		cfg         *config.Error
		noRepo      *git.NoRepositoryError
		lineBreak   *git.LineBreakError
		notPlain    *git.NotPlainError
		elsewhere   *git.WorktreeElsewhereError
		noCommit    *git.NoCommitError
		noIdentity  *git.NoIdentityError
	)
	switch {
	case err == nil:
		return 0, true
	case errors.As(err, &coded):
		return coded.Code, true
	case errors.As(err, &interrupted):
		if s, ok := SignalOf(ctx); ok {
			return SignalCode(s), true
		}
		return 130, true
	case errors.As(err, &waiting):
		return 3, true
	case errors.As(err, &limit) && !limit.Gone:
		return 5, true
	case errors.As(err, &limit), errors.As(err, &credentials), errors.As(err, &noBackend):
		return 4, true
	case errors.As(err, &locked), errors.As(err, &busy):
		return 6, true
	case errors.As(err, &unreadable), errors.As(err, &newer), errors.As(err, &corrupt):
		return 7, true
	case errors.As(err, &usage), errors.As(err, &refused), errors.As(err, &bad), errors.As(err, &cfg),
		errors.As(err, &noRepo), errors.As(err, &lineBreak), errors.As(err, &notPlain), errors.As(err, &elsewhere),
		errors.As(err, &link), errors.As(err, &noCommit), errors.As(err, &noIdentity):
		return 2, true
	}
	return 1, false
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
