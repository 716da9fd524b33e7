package machine

// Effect is a commit about to be made; Key finds it again after a crash.
type Effect struct {
	Key    string   `json:"key"` // <session id>/<revision of the intent>
	Kind   string   `json:"kind"`
	Parent string   `json:"parent"`
	Paths  []string `json:"paths,omitempty"`
	Tree   string   `json:"tree,omitempty"`
	// Resolve is a human's word on an effect of which nobody knows whether it happened: adopt or repeat.
	Resolve string `json:"resolve,omitempty"`
}

// Record is what the driver knows at the end of a phase.
type Record struct {
	Head string `json:"head,omitempty"`
}

// PhaseText is a phase as the spec has it now.
type PhaseText struct {
	Number     string     `json:"number"`
	Name       string     `json:"name"`
	Complexity Complexity `json:"complexity"`
	SHA256     string     `json:"sha256"`
}

// Answer is somebody's answer to a gate.
type Answer struct {
	Gate    string `json:"gate"`
	Option  string `json:"option"`
	Reason  string `json:"reason,omitempty"`
	Phase   int    `json:"phase,omitempty"`   // 1-based, for spec_changed
	By      string `json:"by"`                // human, rule, file …
	Summary string `json:"summary,omitempty"` // of a person who did the work of a dispatch: the reply is made of it
}

// Stood is what the folders for plans hold at a moment: the path of each Markdown file, relative to the working tree,
// with a hash of its bytes. Drafts are left out.
type Stood map[string]string

// Planning is what is known while a phase's plan is made: from the moment when it is wanted until it is read.
type Planning struct {
	Stood   Stood    `json:"stood,omitzero"`    // when it was wanted: only what is new or changed since is its product
	Brought bool     `json:"brought,omitempty"` // the plan hint is a human's word
	Several bool     `json:"several,omitempty"` // the open question is which of several plans it is
	Trouble string   `json:"trouble,omitempty"` // what the open question says of the files that are there
	Raised  []string `json:"raised,omitempty"`  // the planner's concerns, until its plan is read
}

// Aside is a planner that a person started beside the states (plan --draft, plan --interactive) and whose end is not
// recorded yet.
type Aside struct {
	Dispatch Dispatch `json:"dispatch"`
	Phase    int      `json:"phase"`          // 1-based position
	Stood    Stood    `json:"stood,omitzero"` // when it began: what is new or changed since may be its work
}

// PlanFacts is a plan as the core needs it.
type PlanFacts struct {
	Path        string       `json:"path"`   // relative to the repository
	SHA256      string       `json:"sha256"` // of the parsed content
	Tasks       []Task       `json:"tasks"`
	Checkpoints []Checkpoint `json:"checkpoints,omitempty"`
}

// Weighed holds what the driver found in a plan that may speak for asking a human.
type Weighed struct {
	DirtyFiles    []string `json:"dirtyFiles,omitempty"`    // the user's dirty files that the plan names
	Waived        []string `json:"waived,omitempty"`        // tasks that waive their validation
	ChangedTests  []string `json:"changedTests,omitempty"`  // tests that the plan announces to change
	ChecksTouched []string `json:"checksTouched,omitempty"` // existing CI or validation files that the plan names
}
