package checks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// Rerun is what running commands again on a commit needs.
type Rerun struct {
	Repo       *git.Repo
	Checks     validate.Runner
	Furnishing worktree.Setup
	Dir        string                      // of the clean worktree, which is made and removed again
	TellLacks  func(lacks []worktree.Lack) // of that worktree
}

// On runs commands in a clean worktree of a commit that is made ready as a new working tree is, and tells of each
// before and after it ran. Where it cannot be made ready nothing was run, and the error says why.
func (r Rerun) On(ctx context.Context, commit string, list []validate.Validation, tell func(validate.Validation, *validate.Evidence)) (err error) {
	if err := r.Repo.Worktrees.Remove(ctx, r.Dir); err != nil {
		return err
	}
	if err := r.Repo.Worktrees.Add(ctx, r.Dir, commit); err != nil {
		return err
	}
	defer func() {
		if gone := r.Repo.Worktrees.Remove(context.WithoutCancel(ctx), r.Dir); gone != nil && err == nil {
			err = fmt.Errorf("the clean worktree could not be removed: %w", gone)
		}
		_ = os.Remove(filepath.Dir(r.Dir)) // only when nothing else is in it
	}()
	lacks, err := worktree.Prepare(ctx, r.Checks, r.Furnishing, r.Repo.Root(), r.Dir)
	if err != nil {
		return err
	}
	r.TellLacks(worktree.WithoutHooks(lacks))
	for _, v := range list {
		tell(v, nil)
		e := r.Checks.Run(ctx, r.Dir, v)
		if e.Outcome == validate.Interrupted {
			return &halt.InterruptedError{Cause: ctx.Err()}
		}
		tell(v, &e)
	}
	return nil
}
