package autopilot

import (
	"context"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// parkAt notes the working tree when a person at a terminal is asked: what changes until the answer is theirs.
func (e *Engine) parkAt(gate machine.Gate) {
	if e.parkedAt != gate.ID && e.noteTree(e.Journal.State()) {
		e.parkedAt = gate.ID
	}
}

// sinceAsked lists what changed since a person was asked, and says so.
func (e *Engine) sinceAsked(ctx context.Context, s machine.State) ([]string, error) {
	if s.Gate == nil || e.parkedAt != s.Gate.ID || changes.TakesFixes(s.Gate.Kind) || e.attempts().WrittenByHand(s) {
		return nil, nil
	}
	p, err := e.changes().AtEnd(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := e.changes().Beside(ctx, s, p.Files)
	if len(theirs) > 0 {
		e.Journal.Note("info", "Changed while the question was open, and left alone: "+strings.Join(words.FirstFew(theirs, 8), ", "))
	}
	return theirs, err
}

// park notes the working tree when a run ends: what is changed from then on is a human's. A run that never began, which is
// one whose number is still that of the run before, leaves the older note as it is; so does one that ends at a question.
func (e *Engine) park(before int) {
	s := e.Journal.State()
	if s.Runs == before || s.CurrentState == machine.Done || s.Gate != nil && s.Gate.ID == e.parkedAt {
		return
	}
	e.noteTree(s)
}

// noteTree notes the working tree, or says what follows where it cannot.
func (e *Engine) noteTree(s machine.State) bool {
	err := e.changes().KeepEnd(context.Background(), s)
	if err != nil {
		e.Journal.Note("warning", "What is in the working tree could not be noted. Commit or stash what you change before the next run, else it counts as the agents' work: "+err.Error())
	}
	return err == nil
}

// endedByBoot takes the start of the machine for the end of a run that was cut off with all that belonged to it, as by a
// power cut: what was written since is a human's.
func (e *Engine) endedByBoot(ctx context.Context, s machine.State) error {
	p, err := e.changes().AtEnd(ctx)
	if err != nil {
		return err
	}
	if at := e.Booted(); s.Runs > 0 && e.KilledAt.IsZero() && !p.IsOf(s) && at.After(s.UpdatedAt) {
		e.KilledAt = at
	}
	return nil
}
