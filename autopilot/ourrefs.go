package autopilot

import (
	"context"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// Several agents may be at work while the program moves refs: its commit runs the user's hooks, the end of one dispatch
// puts back what its agent did, and lanes come and go. None of this is a deed of the others, so that it is written down
// until none of them is at work any more.

// ourMoves lists how refs were moved by the program, in order.
func (e *Engine) ourMoves(ctx context.Context) (moves []git.Moved, err error) {
	_, err = e.readFacts(ctx, ownMoves, &moves)
	return moves, err
}

// countMoves is how many of them were made before a dispatch that is about to begin. Where it is the only one they are
// forgotten.
func (e *Engine) countMoves(ctx context.Context) (int, error) {
	if s := e.Journal.State(); !agentsAtWork(s) && s.Snapshots.Of(ownMoves) != "" {
		return 0, e.Journal.Apply(machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: ownMoves}}})
	}
	moves, err := e.ourMoves(ctx)
	return len(moves), err
}

// ignoreOwnRefMoves tells a watch how refs were moved by the program since.
func (e *Engine) ignoreOwnRefMoves(ctx context.Context, w *snapshot) error {
	moves, err := e.ourMoves(ctx)
	w.Guard.Ours = append(w.Guard.Ours, moves[min(w.Moves, len(moves)):]...)
	w.Moves = max(w.Moves, len(moves))
	return err
}

// addMoves writes down moves, where somebody is at work who could be blamed for them.
func (e *Engine) addMoves(ctx context.Context, more []git.Moved) error {
	if len(more) == 0 || !agentsAtWork(e.Journal.State()) {
		return nil
	}
	moves, err := e.ourMoves(ctx)
	if err != nil {
		return err
	}
	return e.keepFacts(ctx, ownMoves, append(moves, more...))
}

// addBranch writes down that the branch of a lane now is at a commit; "": it is gone. The others see it as soon as the
// lane's agent leaves it.
func (e *Engine) addBranch(ctx context.Context, name, commit string) error {
	return e.addMoves(ctx, []git.Moved{{Name: "refs/heads/" + name, After: commit}})
}

// addPutBack writes down the way back of what a dispatch moved.
func (e *Engine) addPutBack(ctx context.Context, moved []git.Moved) error {
	var back []git.Moved
	for _, m := range moved {
		back = append(back, git.Moved{Name: m.Name, Before: m.After, After: m.Before})
	}
	return e.addMoves(ctx, back)
}

func agentsAtWork(s machine.State) bool {
	for _, f := range s.InFlight {
		if f.Dispatch != nil {
			return true
		}
	}
	for _, t := range s.Tasks {
		if t.Lane != nil && t.Lane.Flight != nil {
			return true
		}
	}
	return false
}

// commitNow makes a commit. While it is made no dispatch begins or ends beside it, so that it can be told what the user's
// hooks did to refs.
func (e *Engine) commitNow(ctx context.Context, c git.Commit) (made git.Committed, err error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	e.Journal.Settle() // hooks may read them
	if !agentsAtWork(e.Journal.State()) {
		return e.Repo.Commit(ctx, c)
	}
	moved, err := e.Repo.RefsMovedBy(ctx, func() error {
		made, err = e.Repo.Commit(ctx, c)
		return err
	})
	if noted := e.addMoves(ctx, moved); noted != nil && err == nil {
		err = noted
	}
	return made, err
}
