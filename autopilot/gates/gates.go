// Package gates asks a human: at the terminal, or by answers that another process left.
//
// A call goes: Gates.Wait is the step of an open question, and returns once it is answered, or with why the run ends there;
// Gates.Answer takes an answer from whatever mouth, and Gates.Park notes the working tree when a run ends, since what changes
// from then on is a human's. Which options a question has, and what an answer does, is the core's.
package gates

import (
	"context"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/changes"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
)

// Human is a person at a terminal. Ask returns ErrNobody where there is none, and ErrStop when the person wants to
// leave the question open.
type Human interface {
	Ask(ctx context.Context, gate machine.Gate) (machine.Answer, error)
	// Confirm asks for a yes; where nobody can be asked the answer is no.
	Confirm(ctx context.Context, question string) (bool, error)
}

// Inbox hands over answers that other processes left for a gate. Settle says what became of the last one: nil is
// taken, an error is why it was refused.
type Inbox interface {
	Next(gate machine.Gate) (answer machine.Answer, found bool, err error)
	Settle(gate machine.Gate, refused error) error
	Wished(w machine.Wish) bool
	Drop(w machine.Wish)
}

// Gates are those of a session.
type Gates struct {
	Journal  *journal.Journal
	Human    Human
	Inbox    Inbox
	Plans    plans.Plans
	Changes  changes.Changes
	Attempts attempts.Attempts
	Fail     func(key, kind, text string) error // remembers what went wrong, once for a key
	Yes      bool                               // answers gate continue, and no other
	AutoFix  int                                // as machine.AutoFix takes it
	Parked   *string                            // the gate at which the working tree was noted
}
