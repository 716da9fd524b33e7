package gates

import (
	"context"
	"strings"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// parkAt notes the working tree when a person at a terminal is asked: what changes until the answer is theirs.
func (gs Gates) parkAt(gate machine.Gate) {
	if *gs.Parked != gate.ID && gs.noteTree(gs.Journal.State()) {
		*gs.Parked = gate.ID
	}
}

// sinceAsked lists what changed since a person was asked, and says so.
func (gs Gates) sinceAsked(ctx context.Context, s machine.State) ([]string, error) {
	if s.Gate == nil || *gs.Parked != s.Gate.ID || changes.TakesFixes(s.Gate.Kind) || gs.Attempts.WrittenByHand(s) {
		return nil, nil
	}
	p, err := gs.Changes.AtEnd(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := gs.Changes.Beside(ctx, s, p.Files)
	if len(theirs) > 0 {
		gs.Journal.Note("info", "You changed these files while the question was open; they are left alone: "+strings.Join(words.FirstFew(theirs, 8), ", "))
	}
	return theirs, err
}

// Park notes the working tree when a run ends: what is changed from then on is a human's. A run that never began, which is
// one whose number is still that of the run before, leaves the older note as it is; so does one that ends at a question.
func (gs Gates) Park(before int) {
	s := gs.Journal.State()
	if s.Runs == before || s.CurrentState == machine.Done || s.Gate != nil && s.Gate.ID == *gs.Parked {
		return
	}
	gs.noteTree(s)
}

// noteTree notes the working tree, or says what follows where it cannot.
func (gs Gates) noteTree(s machine.State) bool {
	err := gs.Changes.KeepEnd(context.Background(), s, nil)
	if err != nil {
		gs.Journal.Note("warning", "Couldn't record the working tree. Commit or stash your changes before the next run, or they will be treated as the agent's: "+err.Error())
	}
	return err == nil
}
