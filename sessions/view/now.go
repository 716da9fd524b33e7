package view

import "time"

// Now is what a live run does at this moment, beside what the journal says: now.json in the session's folder. It is replaced at
// most once a second and decides nothing.
type Now struct {
	At    time.Time `json:"at"`    // when it was written
	PID   int       `json:"pid"`   // of the run
	Works []Work    `json:"works"` // the run's own working tree first, then lanes by task
}

// Work is one thing at work: a dispatch, or a command of a check.
type Work struct {
	Task       string    `json:"task,omitempty"`    // id
	Persona    string    `json:"persona,omitempty"` // of a dispatch
	Purpose    string    `json:"purpose,omitempty"`
	Command    string    `json:"command,omitempty"` // of a check
	Since      time.Time `json:"since"`
	LastLine   string    `json:"lastLine,omitempty"`
	LastLineAt time.Time `json:"lastLineAt,omitzero"`
	IdleStops  time.Time `json:"idleStops,omitzero"` // when it is stopped if nothing comes
}

// End is how a run ended: ended.json in the session's folder.
type End struct {
	Time     time.Time `json:"time"`
	ExitCode int       `json:"exitCode"`
	Reason   string    `json:"reason"`
}

// Limit is what keeps a run from dispatching anybody.
type Limit struct {
	Text    string    `json:"text"`
	Backend string    `json:"backend,omitempty"` // "": a budget
	Until   time.Time `json:"until,omitzero"`
	Waits   bool      `json:"waits,omitempty"` // a run waits for it and goes on
	Flags   string    `json:"flags,omitempty"` // with which a run goes on all the same: --max-cost 40
}

// Budget is one of the configuration's, beside what was used of it.
type Budget struct {
	Name string  `json:"name"` // cost, tokens, dispatches, duration; with "phase" or "task" before it where it is theirs
	Used float64 `json:"used"` // USD, tokens, dispatches, seconds
	Of   float64 `json:"of"`
}
