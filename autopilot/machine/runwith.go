package machine

// RunWith is how a run was started.
type RunWith struct {
	Backend string   `json:"backend,omitempty"` // that all personas have; "": several
	Model   string   `json:"model,omitempty"`   // of that backend
	Flags   []string `json:"flags,omitempty"`   // of the command line, without the spec and without those that only begin a session
}
