package audit

import (
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// ClaimKind is what a session says of itself.
type ClaimKind string

// The kinds of claims.
const (
	ClaimTask     ClaimKind = "task"     // a task is completed
	ClaimVerified ClaimKind = "verified" // a phase went through VERIFY
	ClaimReviewed ClaimKind = "reviewed" // a phase went through REVIEW
	ClaimSkipped  ClaimKind = "skipped"  // a phase was left out
	ClaimRedone   ClaimKind = "redone"   // a phase was started over; what was claimed of it before is history
	ClaimCommit   ClaimKind = "commit"   // a commit was made
	ClaimDecision ClaimKind = "decision" // a question was answered
	ClaimDone     ClaimKind = "done"     // the session is done
)

// Standing is how a claim stands by the records of the journal.
type Standing string

// The ways in which a claim stands.
const (
	Proven   Standing = "proven"   // its record bears it out
	Marked   Standing = "marked"   // it says itself that it is not: unverified, skipped, redone, overridden, adopted, imported
	Unproven Standing = "unproven" // its record is missing, or says otherwise
)

// Claim is something that a session says of itself, held against what it recorded.
type Claim struct {
	Kind     ClaimKind       `json:"kind"`
	Rev      int64           `json:"rev"`             // of the event that makes it
	Phase    int             `json:"phase,omitempty"` // 1-based position; 0 is the final review
	Task     string          `json:"task,omitempty"`
	What     string          `json:"what"`
	Standing Standing        `json:"standing"`
	Why      string          `json:"why,omitempty"`    // of a claim that is marked or unproven
	Record   int64           `json:"record,omitempty"` // revision of the record on which it rests
	Commit   string          `json:"commit,omitempty"` // task, commit
	Tree     string          `json:"tree,omitempty"`   // task: the hash of what the commit has to hold, where that is known
	Effect   *machine.Effect `json:"effect,omitempty"` // commit: as it was intended
	Undone   int64           `json:"undone,omitempty"` // commit: the revision before the undo that took it off the branch
}

func (c *Claim) doubt(why string) {
	if why == "" {
		return
	}
	if c.Standing != Unproven {
		c.Standing, c.Why = Unproven, ""
	}
	c.Why = strings.TrimPrefix(c.Why+"; "+why, "; ")
}

func (c *Claim) mark(why string) {
	if c.Standing == Proven {
		c.Standing, c.Why = Marked, why
	}
}

// Proof is an event whose checks ran: the record that claims rest on.
type Proof struct {
	Rev      int64             `json:"rev"`
	Key      string            `json:"key"`
	Type     machine.EventType `json:"type"`
	State    machine.Name      `json:"state"`
	Step     machine.StepName  `json:"step"`
	Phase    int               `json:"phase"` // 1-based position; 0 is the final review
	Task     string            `json:"task,omitempty"`
	Lane     bool              `json:"lane,omitempty"` // it was made in the task's own working tree, beside others
	Checks   []machine.Check   `json:"checks"`
	Findings []machine.Finding `json:"findings,omitempty"`
	Evidence *machine.Evidence `json:"evidence,omitempty"` // nil: an older program made the record
	Waived   bool              `json:"waived,omitempty"`

	against string // what of it speaks against the claim that rests on it; "" is nothing
}

// lacks names the first of some commands that it has no check of.
func (p Proof) lacks(commands []string) string {
	for _, command := range commands {
		if !slices.ContainsFunc(p.Checks, func(c machine.Check) bool { return c.Command == command }) {
			return "there is no record of its validation: " + command
		}
	}
	return ""
}
