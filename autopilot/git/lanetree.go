package git

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// BranchTakenError says that a branch of somebody else has the name that a working tree of the program needs.
type BranchTakenError struct{ Branch string }

func (e *BranchTakenError) Error() string {
	return fmt.Sprintf("branch %s holds commits that are not this session's. Give it another name: git branch -m %s mine/%s", e.Branch, e.Branch, e.Branch)
}

// WorktreeAt is the working tree whose top folder is dir; nil where there is none.
func (r *Repo) WorktreeAt(ctx context.Context, dir string) (*Repo, error) {
	there, err := Find(ctx, dir)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !sameDir(there.root, dir) || there.commonDir != r.commonDir {
		return nil, nil //nolint:nilerr // the folder is not there, or lies in this working tree
	}
	return there, nil
}

// AddBranchWorktree makes a second working tree in dir with a branch of its own, both at a commit. A branch of that name
// is taken over only where HEAD holds all its commits; else the error is BranchTakenError.
func (r *Repo) AddBranchWorktree(ctx context.Context, dir, branch, commit string) (*Repo, error) {
	if tip := "refs/heads/" + branch; r.Exists(ctx, tip) {
		if held, err := r.IsAncestor(ctx, tip, "HEAD"); err != nil {
			return nil, err
		} else if !held {
			return nil, &BranchTakenError{Branch: branch}
		}
	}
	if err := r.RemoveWorktree(ctx, dir); err != nil { // what a stopped call left half-made
		return nil, fmt.Errorf("%w. If nothing in the folder is yours, remove it: rm -r '%s'", err, dir)
	}
	if _, err := r.write(ctx, nil, "worktree", "add", "--quiet", "-B", branch, dir, commit); err != nil {
		return nil, fmt.Errorf("making a working tree in %s: %w", dir, err)
	}
	return Find(ctx, dir)
}

func sameDir(a, b string) bool {
	resolved, err := filepath.EvalSymlinks(b)
	return err == nil && (a == b || a == resolved)
}

// RemoveBranchWorktree removes a working tree that AddBranchWorktree made, and its branch. Neither need be there. Commits
// of the branch that HEAD does not hold are kept under a ref of the program's own.
func (r *Repo) RemoveBranchWorktree(ctx context.Context, dir, branch, keep string) error {
	if err := r.RemoveWorktree(ctx, dir); err != nil {
		return err
	}
	tip := "refs/heads/" + branch
	if !r.Exists(ctx, tip) {
		return nil
	}
	held, err := r.IsAncestor(ctx, tip, "HEAD")
	if err == nil && !held {
		var free string
		if free, err = r.freeRef(ctx, keep); err == nil {
			_, err = r.write(ctx, nil, "update-ref", free, tip)
		}
	}
	if err == nil {
		_, err = r.write(ctx, nil, "update-ref", "-d", tip)
	}
	if err != nil {
		return fmt.Errorf("deleting branch %s: %w", branch, err)
	}
	return nil
}

// Branches lists the branches whose names begin with a prefix, in order.
func (r *Repo) Branches(ctx context.Context, prefix string) ([]string, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads/")
	if err != nil {
		return nil, fmt.Errorf("listing branches: %w", err)
	}
	var names []string
	for _, name := range split(out, '\n') {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}
