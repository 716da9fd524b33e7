package proof

import (
	"context"

	"autopilot/autopilot/validate"
)

// control runs the work with its own tests, unless it did so last. A tree that lacks what it needs is a
// *worktree.NotReadyError.
func (t Tree) control(ctx context.Context, q Question) ([]validate.Evidence, error) {
	q.Whole, q.Announced, q.Believe = false, nil, false // the work is the same
	return remembered(t, &t.last().control, q, func() ([]validate.Evidence, error) { return t.runWork(ctx, q) })
}

func (t Tree) runWork(ctx context.Context, q Question) ([]validate.Evidence, error) {
	if err := t.Lay(ctx, q.Base, q.paths(Swap{})); err != nil {
		return nil, err
	}
	if err := t.Setup.EnsurePackages(ctx, t.Runner, t.Home, t.Dir); err != nil {
		return nil, err
	}
	ran := make([]validate.Evidence, len(q.Commands))
	for i, c := range q.Commands {
		if ran[i] = t.run(ctx, c.Validation); ran[i].Outcome == validate.Interrupted {
			return nil, ctx.Err()
		}
	}
	return ran, nil
}
