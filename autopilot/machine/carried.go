package machine

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
	Gate   string `json:"gate"`
	Option string `json:"option"`
	Reason string `json:"reason,omitempty"`
	Phase  int    `json:"phase,omitempty"` // 1-based, for spec_changed
	By     string `json:"by"`              // human, rule, file …
}
