package autopilot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/branches"
)

// cleanPrefix begins the names of the temporary folders that clean working trees lie in.
const cleanPrefix = "autopilot-clean-"

// IsClean says whether a working tree lies where clean ones are made.
func IsClean(dir string) bool {
	return strings.HasPrefix(filepath.Base(filepath.Dir(dir)), cleanPrefix)
}

func (e *Engine) cleanName() string {
	return branches.RefName(e.Journal.State().SessionSlug) + "-verify"
}

// cleanTree makes a working tree of a commit outside of the repository: tools look upwards for settings and packages,
// and inside of it they would find those of the tree around, which git may not know. What an earlier run left is removed.
func (e *Engine) cleanTree(ctx context.Context, commit string) (string, error) {
	if err := e.sweepClean(ctx); err != nil {
		return "", err
	}
	parent, err := os.MkdirTemp("", cleanPrefix)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, e.cleanName())
	if err := e.Repo.Worktrees.Add(ctx, dir, commit); err != nil {
		return "", errors.Join(err, os.RemoveAll(parent))
	}
	return dir, nil
}

// removeClean removes a clean working tree. Where that fails it is said, and nothing else depends on it.
func (e *Engine) removeClean(ctx context.Context, dir string) {
	err := e.Repo.Worktrees.Remove(context.WithoutCancel(ctx), dir)
	if err == nil && IsClean(dir) {
		err = os.RemoveAll(filepath.Dir(dir))
	}
	if err != nil {
		e.Journal.Note("warning", "The clean worktree could not be removed: "+err.Error())
	}
}

// sweepClean removes the clean working trees that a killed run of the session left behind, wherever they lie.
func (e *Engine) sweepClean(ctx context.Context) error {
	trees, err := e.Repo.Worktrees.List()
	if err != nil {
		return err
	}
	for _, dir := range trees {
		ours := IsClean(dir) || filepath.Dir(dir) == filepath.Join(e.Harness, WorktreesDir)
		if ours && filepath.Base(dir) == e.cleanName() {
			e.removeClean(ctx, dir)
		}
	}
	return nil
}
