package autopilot

import (
	"context"
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/gates"
	"autopilot/personas"
)

// Records is where a session keeps what belongs to it beside the state. Names are relative to the session's folder.
type Records interface {
	Dir() string // absolute
	WriteJSON(name string, v any) error
	WriteText(name, text string) error
	AttemptDir(phase int, task string, n int) (string, error) // absolute
	SetAttemptsAside(phase int) error                         // of earlier work at that position
	// Index brings the list of all sessions up to date.
	Index() error
	// KeepScratchpad, FillScratchpad and ClearScratchpad carry notes from dispatch to dispatch of a phase; out is a
	// dispatch's own folder.
	KeepScratchpad(phase int, out string) error
	FillScratchpad(phase int, out string) error
	ClearScratchpad(phase int) error
	// Altered names the evidence that is gone, or is not what the journal says, as the audit finds it.
	Altered() ([]string, error)
}

// Memory is what outlives a dispatch: learnings and failures. A learning in the same words, and a failure with the same
// key, is written once.
type Memory interface {
	Learn([]personas.Learning) error
	Fail(key, kind, text string) error
	Learnings(budget int) ([]string, error)
	// Promote hands the session's learnings on to the project's, and returns how many those are now.
	Promote() (int, error)
}

// Report says for people what a session came to.
type Report interface {
	// Markdown is what summary.md says, with the evidence that is gone or changed.
	Markdown(ctx context.Context, altered []string) (string, error)
	// PullRequest is the body of a pull request that closes an issue; "" is none.
	PullRequest(ctx context.Context, issue string) (string, error)
}

// Clock tells the time; the engine has no other.
type Clock func() time.Time

// Inbox has what other processes left for the session: answers, and notes.
type Inbox interface {
	gates.Inbox
	attempts.Inbox
}
