package undo

import (
	"math"
	"slices"

	"autopilot/autopilot/machine"
)

// Past is what the journal of a session says of where its phases began, and of its commits. Take is called for each event in
// order.
type Past struct {
	marks   []mark
	commits map[string]bool         // that the session made
	before  map[int64]machine.State // each undo, by revision
}

// mark is a revision at which a phase began, or to which the session came by an undo.
type mark struct {
	rev    int64
	phase  string
	commit string        // where it began
	state  machine.State // before it began
	to     int64         // of an undo: the revision that it leads to
}

// Take takes in an event and the states before and after it.
func (p *Past) Take(before machine.State, e machine.Event, after machine.State) {
	switch e.Type {
	case machine.PlanChecked:
		if at := after.CurrentPhase; before.Phases[at].StartCommit == "" {
			p.marks = append(p.marks, mark{rev: e.Rev, phase: after.Phases[at].Number, commit: after.Phases[at].StartCommit, state: before})
		}
	case machine.EffectDone:
		if p.commits == nil {
			p.commits = map[string]bool{}
		}
		p.commits[e.Commit] = true
	case machine.UndoIntended:
		if p.before == nil {
			p.before = map[int64]machine.State{}
		}
		p.before[before.Revision] = before
	case machine.Undone:
		p.marks = append(p.marks, mark{rev: e.Rev, to: before.Undoing.State.Revision})
	}
}

// began is the last beginning of a phase, or with "" of the last phase that something was committed in since. What an undo took
// away does not count.
func (p *Past) began(phase, head string) (mark, bool) {
	limit := int64(math.MaxInt64)
	for _, m := range slices.Backward(p.marks) {
		switch {
		case m.rev > limit:
		case m.phase == "":
			limit = m.to
		case m.phase == phase, phase == "" && m.commit != head:
			return m, true
		}
	}
	return mark{}, false
}
