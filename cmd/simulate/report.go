package simulate

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/personas/chaos"
)

// summary is the outcome of a simulation as --json prints it.
type summary struct {
	Event string    `json:"event"`
	Spec  string    `json:"spec"`
	Seed  uint64    `json:"seed"`
	Plans []planned `json:"plans"`
	Runs  []Outcome `json:"runs"`
	Held  bool      `json:"held"` // no promise was broken
}

// planned says where the plan of a phase comes from.
type planned struct {
	Phase string `json:"phase"`
	Plan  string `json:"plan,omitempty"` // "": it was made up
	Tasks int    `json:"tasks"`
}

// Outcome is how one run went.
type Outcome struct {
	Profile    string       `json:"profile"`
	Seed       uint64       `json:"seed"`
	ExitCode   int          `json:"exitCode"`
	State      machine.Name `json:"state"`
	Phase      int          `json:"phase"` // 1-based: the last that it reached
	Gate       string       `json:"gate,omitempty"`
	Ended      string       `json:"ended"`
	Dispatches int          `json:"dispatches"`
	Behaviours []Behaviour  `json:"behaviours"`
	Breaches   []string     `json:"breaches"`
}

// Behaviour is what became of one behaviour in one run.
type Behaviour struct {
	Name       chaos.Behaviour `json:"name"`
	Shown      int             `json:"shown"`
	Noticed    int             `json:"noticed"`
	DetectedBy []string        `json:"detectedBy"`
	After      int             `json:"after,omitempty"`     // dispatches, at most
	Unnoticed  []string        `json:"unnoticed,omitempty"` // in which form, and by whom
}

// simulated is a run that has ended.
type simulated struct {
	dir   string // of its repository
	code  int
	text  string // the error that ended it
	state machine.State
	seen  *witness
}

// behaviours are those that were shown, in the order of the list of all.
func (w *witness) behaviours() []Behaviour {
	list := []Behaviour{}
	for _, c := range chaos.Conducts() {
		b := Behaviour{Name: c.Name, DetectedBy: []string{}}
		for _, s := range w.suspects {
			switch {
			case s.part.Behaviour != c.Name:
				continue
			case s.by == "":
				b.Unnoticed = append(b.Unnoticed, fmt.Sprintf("%s, %s", s.part.Form, s.part.Key))
			default:
				b.Noticed, b.After = b.Noticed+1, max(b.After, s.after)
				if !slices.Contains(b.DetectedBy, s.by) {
					b.DetectedBy = append(b.DetectedBy, s.by)
				}
			}
			b.Shown++
		}
		if b.Shown > 0 {
			list = append(list, b)
		}
	}
	return list
}

// ending says how a run ended, in a few words.
func (r *simulated) ending() string {
	after := " after " + machine.Plural(r.state.Usage.Dispatches, "dispatch", "dispatches")
	switch {
	case r.code == 0:
		return "done" + after
	case r.code == 3 && r.state.Gate != nil && r.state.Gate.IsRefused("fix"):
		return fmt.Sprintf("waits at %s%s, no further fix offered", r.state.Gate.Kind, after)
	case r.code == 3 && r.state.Gate != nil:
		return fmt.Sprintf("waits at %s%s", r.state.Gate.Kind, after)
	case r.code == 5:
		return "stopped by a limit" + after
	}
	return console.Shorten(console.Clean(r.text), 80) + after
}
