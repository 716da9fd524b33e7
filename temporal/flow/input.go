package flow

import (
	"context"
	"time"

	"autopilot/autopilot/machine"
)

// Input is what a run of the workflow begins with. What it has from an earlier run fits into one payload.
type Input struct {
	First    *machine.State  `json:"first,omitempty"` // of a new session; nil: State is the session so far
	State    machine.State   `json:"state,omitzero"`
	Tail     []machine.Event `json:"tail,omitempty"` // of the journal: what is not kept elsewhere yet
	Parallel int             `json:"parallel,omitempty"`
}

// Result is how a session ended. The session itself is where Keep left it.
type Result struct {
	Revision int64        `json:"revision"`
	State    machine.Name `json:"state"`
}

// Act is a step for an activity to do. It names the state that it is about by its revision, and does not have it.
type Act struct {
	Session  string          `json:"session"`
	Revision int64           `json:"revision"`
	Step     machine.Step    `json:"step"`
	Dispatch string          `json:"dispatch,omitempty"` // the id of the dispatch that was announced
	Effect   *machine.Effect `json:"effect,omitempty"`   // the commit that was announced
}

// Played is the result of an act.
type Played struct {
	Events []machine.Event `json:"events"` // without revision and time
	Ran    time.Duration   `json:"ran"`    // for how long somebody worked on it
}

// Tail is the end of a session's journal, beginning right after what was kept before, or sooner: what is there is not kept again.
type Tail struct {
	Session string          `json:"session"`
	Events  []machine.Event `json:"events"`
}

// Acts are the activities of a session. Each may be called twice for the same act.
type Acts interface {
	// Play does a step.
	Play(ctx context.Context, a Act) (Played, error)
	// Keep appends to a session's journal.
	Keep(ctx context.Context, t Tail) error
}

// The names of the activities, as workers register them.
const (
	PlayName = "Play"
	KeepName = "Keep"
)
