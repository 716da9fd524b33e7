package facts

import (
	"context"

	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
)

// Several agents may be at work while the program moves refs: its commit runs the user's hooks, the end of one dispatch
// puts back what its agent did, and lanes come and go. None of this is a deed of the others, so that it is written down
// until none of them is at work any more.

// moves lists how refs were moved by the program, in order.
func (f Facts) moves(ctx context.Context) (moves []refs.Moved, err error) {
	if !f.Alone {
		_, err = f.Get(ctx, OwnMoves, &moves)
	}
	return moves, err
}

// CountMoves is how many of them were made before a dispatch that is about to begin. Where it is the only one they are
// forgotten.
func (f Facts) CountMoves(ctx context.Context) (int, error) {
	if s := f.Journal.State(); len(s.Flights()) == 0 && s.Snapshots.Of(OwnMoves) != "" {
		return 0, f.Journal.Apply(machine.Event{Type: machine.SnapshotTaken, Snapshots: machine.Snapshots{{Of: OwnMoves}}})
	}
	moves, err := f.moves(ctx)
	return len(moves), err
}

// IgnoreMoves tells a guard how refs were moved by the program since; n is how many of the moves it knows.
func (f Facts) IgnoreMoves(ctx context.Context, g *refs.Guard, n *int) error {
	moves, err := f.moves(ctx)
	g.Ours = append(g.Ours, moves[min(*n, len(moves)):]...)
	*n = max(*n, len(moves))
	return err
}

// AddMoves writes down moves, where somebody is at work who could be blamed for them.
func (f Facts) AddMoves(ctx context.Context, more []refs.Moved) error {
	if len(more) == 0 || f.Alone || len(f.Journal.State().Flights()) == 0 {
		return nil
	}
	moves, err := f.moves(ctx)
	if err != nil {
		return err
	}
	return f.Keep(ctx, OwnMoves, append(moves, more...))
}

// AddBranch writes down that the branch of a lane now is at a commit; "": it is gone. The others see it as soon as the
// lane's agent leaves it.
func (f Facts) AddBranch(ctx context.Context, name, commit string) error {
	return f.AddMoves(ctx, []refs.Moved{{Name: "refs/heads/" + name, After: commit}})
}

// AddPutBack writes down the way back of what a dispatch moved.
func (f Facts) AddPutBack(ctx context.Context, moved []refs.Moved) error {
	var back []refs.Moved
	for _, m := range moved {
		back = append(back, refs.Moved{Name: m.Name, Before: m.After, After: m.Before})
	}
	return f.AddMoves(ctx, back)
}
