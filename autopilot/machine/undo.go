package machine

// Undo sets a session and its branch back to where a phase began, or takes that back.
type Undo struct {
	Phase string `json:"phase"`           // the number of the phase, as the spec writes it
	From  string `json:"from"`            // the commit at which the branch ends before
	To    string `json:"to"`              // and after
	Ref   string `json:"ref"`             // the ref that keeps the commits that leave the branch
	Back  bool   `json:"back,omitempty"`  // it takes back the undo that is kept under Ref
	Rev   int64  `json:"rev,omitempty"`   // the session's revision before it
	State *State `json:"state,omitempty"` // what the session becomes, until it has
}
