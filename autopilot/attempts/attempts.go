// Package attempts makes the dispatches of a session: budgets first, then the journal, then the backend; a reply counts only after
// the repository was compared and restored.
//
// A call goes: Attempts.Dispatch does a step that dispatches a persona, from its brief to the event that ends it; where a
// process was killed in between, Attempts.ResumeInterrupted ends it. Prepare, Keep, WithinBudget and LimitSpending are its
// parts, for dispatches beside the steps. Whether an attempt counts is decided by the core, and by the checks that follow.
package attempts

import (
	"context"
	"os"
	"sync"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/checks"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/personas"
)

// Records is where a session keeps what belongs to its attempts. Names are relative to the session's folder.
type Records interface {
	Dir() string // absolute
	WriteJSON(name string, v any) error
	AttemptDir(phase int, task string, n int) (string, error) // absolute
	// KeepScratchpad and FillScratchpad carry notes from dispatch to dispatch of a phase; out is a dispatch's own folder.
	KeepScratchpad(phase int, out string) error
	FillScratchpad(phase int, out string) error
}

// Memory has what was learned. A learning in the same words is written once.
type Memory interface {
	Learn([]personas.Learning) error
	Learnings(budget int) ([]string, error)
}

// Inbox has notes that people left, each of which goes once take returned nil, and their wishes.
type Inbox interface {
	TakeNotes(take func(machine.Event) error) error
	Wished(w machine.Wish) bool
	Drop(w machine.Wish)
}

// Settings are those of dispatches.
type Settings struct {
	Idle, Timeout time.Duration
	Turns         int
	Limits        budget.Limits
	PauseEvery    int  // dispatches after which a human is asked; 0: never
	Rollback      bool // a failed attempt is rolled back to the task's base
	Learnings     int  // tokens of them in a prompt
}

// Look is what a step saw of the working tree last, for the next one.
type Look struct {
	Seen   *git.Seen // nothing changed it since
	Fresh  bool      // nothing was done in the tree yet
	Asked  bool      // the agent at work was shown what running tests found
	Warned bool      // and unproven findings were among that
	Idle   bool      // it was warned that it changed nothing
	Strays bool      // it was asked about files outside of the plan
}

// Attempts are those of a session in one working tree.
type Attempts struct {
	Repo        *git.Repo
	Lane        string // the task whose working tree it is; "" is the run's own
	Journal     *journal.Journal
	Checks      checks.Checks
	Guard       guard.Guard
	HomeChanges changes.Changes // of the run's own working tree
	Plans       plans.Plans
	Records     Records
	Memory      Memory
	Inbox       Inbox
	Backends    dispatch.Backends
	Personas    personas.Set
	Mask        *personas.Mask // takes secrets out of what is sent and written; may be nil
	Now         func() time.Time
	NewID       func() string
	LockFile    *os.File    // handed to the supervisors of child processes
	Front       sync.Locker // one dispatch at a time is begun or ended, over all working trees
	Look        *Look
	Harness     string // absolute path of .harness
	Export      string // the folder in which a blind reading finds the code
	PhaseText   func(machine.Phase) string
	Bring       func(context.Context) error // lays out what another machine had made of a dispatch in flight; nil: no other machine did
	Settings    Settings
}
