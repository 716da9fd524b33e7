package machine

import "time"

// SchemaVersion is the version of State that this program writes.
const SchemaVersion = 7

// Edition counts what later programs have events lead to in another way, or ask before a run. A session has that of the newest
// program that took it up, so that the journal of an older one leads where it led.
const Edition = 6

// State is the whole orchestration state of a session: what autopilot-state.json holds. Indices are 0-based.
type State struct {
	SchemaVersion int    `json:"schemaVersion"`
	StateCRC      string `json:"stateCrc"`
	Revision      int64  `json:"revision"`

	SessionID   string `json:"sessionId"`
	SessionSlug string `json:"sessionSlug"`
	SessionDir  string `json:"sessionDir"` // relative to the repository, slashes
	SpecPath    string `json:"specPath"`   // relative to the repository, slashes

	Spec           SpecRef  `json:"spec"`
	StartingCommit string   `json:"startingCommit"`
	Branch         string   `json:"branch"`
	Bases          []Base   `json:"bases,omitempty"`     // what the branch is to go into, as it was when the session began
	StackedOn      *Base    `json:"stackedOn,omitempty"` // the branch of other work that it began on, with that work's last commit
	WorkTree       string   `json:"workTree,omitempty"`  // relative; "" is the repository's own working tree
	LeftOut        []string `json:"leftOut,omitempty"`   // paths that the user changed, before the start or since: neither committed nor reset
	RigorLevel     Rigor    `json:"rigorLevel"`
	ReviewPlans    bool     `json:"reviewPlans"`

	CurrentState Name     `json:"currentState"`
	Step         StepName `json:"step"`
	CurrentPhase int      `json:"currentPhase"`
	Phases       []Phase  `json:"phases"`
	Order        []string `json:"order,omitempty"` // numbers of phases whose order a human changed, in the wished order

	Tasks       []Task       `json:"tasks"`
	CurrentTask string       `json:"currentTask,omitempty"` // id of the task that the step is about
	Parallel    int          `json:"parallel,omitempty"`    // how many tasks the last run lets work at once; 0 is 1
	Checkpoints []Checkpoint `json:"checkpoints,omitempty"`
	InFlight    []InFlight   `json:"inFlight"`
	Aside       *Aside       `json:"aside,omitempty"` // a planner that a person started beside the states
	RetryBudget RetryBudget  `json:"retryBudget"`
	Undoing     *Undo        `json:"undoing,omitempty"` // an undo that was begun and has no result yet; nothing else happens before it has
	Undone      *Undo        `json:"undone,omitempty"`  // the last one, to be taken back as long as nothing was done since

	Gate      *Gate  `json:"gate"`
	Suspended []Gate `json:"suspended,omitempty"`

	Decisions   []Decision     `json:"decisions"`
	History     []HistoryEntry `json:"history"`
	FinalReview FinalReviewed  `json:"finalReview"`
	Register    Register       `json:"findings"` // null where an earlier program wrote it: the journal leads to it
	Committed   Committed      `json:"committed,omitzero"`

	Usage      Usage     `json:"usage"`
	Metrics    Metrics   `json:"metrics,omitzero"`         // of all dispatches that ended
	FinalSpent Spent     `json:"finalSpent,omitzero"`      // by the final review; phases and tasks have their own
	PausedAt   int       `json:"pausedAt,omitempty"`       // how many dispatches the usage had when a pause was last answered
	Elapsed    float64   `json:"elapsedSeconds,omitempty"` // running time over all runs, waiting at gates aside
	Runs       int       `json:"runs"`
	Edition    int       `json:"edition,omitempty"`
	KeysAsked  bool      `json:"keysAsked,omitempty"` // a run asked which keys may go where a file of the repository says
	Baseline   *Baseline `json:"baseline"`

	Evidences      int            `json:"evidences,omitempty"`      // how many events had evidence; it numbers the files of output
	ByProducts     []string       `json:"byProducts,omitempty"`     // untracked files that commands left behind, never committed
	Flakes         []Flake        `json:"flakes,omitempty"`         // tests that failed now and then, as seen
	AcceptedRed    []string       `json:"acceptedRed,omitempty"`    // commands that a human went on without, until they first pass
	ClosingDone    []string       `json:"closingDone,omitempty"`    // closing steps of DONE that are recorded
	LimitedUntil   *time.Time     `json:"limitedUntil,omitempty"`   // the limit that is waited for, until somebody was dispatched again
	QuotaUsedUp    bool           `json:"quotaUsedUp,omitempty"`    // it is of a quota or balance, which may never come back by itself
	LimitedBackend string         `json:"limitedBackend,omitempty"` // whose limit it is; "" in older states: of any
	Limits         []BackendLimit `json:"limits,omitempty"`         // that backends reported, until they are over
	Notes          []string       `json:"notes,omitempty"`          // for the next dispatch
	Reread         *Reread        `json:"reread,omitempty"`         // the changed spec that gate spec_changed asks about
	Snapshots      Snapshots      `json:"snapshots,omitempty"`      // what a resume compares with
	IsImported     bool           `json:"isImported,omitempty"`     // an older program wrote it, and no plan was approved since
	UpdatedAt      time.Time      `json:"updatedAt"`
}

// Committed is the session's last commit, a person's work that it committed included.
type Committed struct {
	SHA string    `json:"sha"`
	At  time.Time `json:"at"`
}

// SpecRef is the spec as it was last read.
type SpecRef struct {
	SHA256   string   `json:"sha256"` // of its bytes
	Title    string   `json:"title"`
	Criteria []string `json:"criteria"`
}

// Base is a branch that the work of a session is to go into, or what the repository saw of it at its remote.
type Base struct {
	Ref    string `json:"ref"`    // in full
	Commit string `json:"commit"` // the newest that it shared with the session's branch
}

// Reread is a changed spec that waits for a human's word.
type Reread struct {
	Spec   SpecRef     `json:"spec"`
	Phases []PhaseText `json:"phases"`
}

// InFlight is a dispatch or an effect that was begun and has no result yet.
type InFlight struct {
	Dispatch *Dispatch `json:"dispatch,omitempty"`
	Effect   *Effect   `json:"effect,omitempty"`
}

// PhaseNumber is the number of a phase that a record names by its index; "?" where the session has it no more.
func (s State) PhaseNumber(i int) string {
	if i < 0 || i >= len(s.Phases) {
		return "?"
	}
	return s.Phases[i].Number
}
