package journal

import "autopilot/autopilot/machine"

// Store keeps a session's state: Apply journals the event before it returns. The engine never changes a state itself.
type Store interface {
	State() machine.State
	Apply(machine.Event) (machine.State, error)
}

// Files are those of a session that people and other tools read.
type Files interface {
	Progress(ProgressLine) error
	Project(machine.State) error
}

// ProgressLine is one line of progress.txt.
type ProgressLine struct {
	Type     string // INIT Starting Completed ERROR CHECKPOINT ROLLBACK RECOVERY STATS LOCK WARN
	Task     string
	Category string
	Message  string
	Key      string // a line with a key is written once; "" is none
}

// Reporter is told what happens, as it happens.
type Reporter interface {
	Report(Note)
}

// Note is something worth showing: one line for people, or one object for programs.
type Note struct {
	Event   string // state, task, dispatch, check, commit, gate, decision, usage, warning, info
	Text    string // for people
	Fields  map[string]any
	Detail  bool // shown with --verbose only
	OfEvent bool // an event says the same: a screen that shows events leaves the note out
}
