package autopilot

import (
	"time"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/gates"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
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

// Clock tells the time; the engine has no other.
type Clock func() time.Time

// Inbox has what other processes left for the session: answers, and notes.
type Inbox interface {
	gates.Inbox
	attempts.Inbox
}

// Settings are the parts of the configuration that the engine decides by.
type Settings struct {
	Idle, Dispatch, Hook time.Duration
	Validation           time.Duration // 0: max(10 min, 3 × its baseline)
	Turns                int
	Limits               budget.Limits
	LongestWait          time.Duration // for a backend's limit to end; 0: none is waited out
	PauseEvery           int           // dispatches after which a human is asked; 0: never
	Parallel             int           // how many tasks may be at work at once
	Rollback             bool          // a failed attempt is rolled back to the task's base
	Validations          []validate.Validation
	ValidateNone         bool // the configuration wishes to go on unverified
	Yes                  bool // answers gate continue, and no other
	NoBranch             bool
	LearningsBudget      int // tokens
	WorktreeSetup        worktree.Setup
	HealthFatal          bool // a failed health check of a service blocks, instead of being a warning
}
