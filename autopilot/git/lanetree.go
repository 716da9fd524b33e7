package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// AddBranchWorktree makes a second working tree in dir with a branch of its own, both at a commit. One that is there
// already with that branch is taken as it is; what a stopped call left half-made is made anew.
func (r *Repo) AddBranchWorktree(ctx context.Context, dir, branch, commit string) (*Repo, error) {
	if there, err := Find(ctx, dir); err == nil && sameDir(there.root, dir) {
		if position, err := there.Position(ctx); err == nil && position.Branch == branch {
			return there, nil
		}
	}
	if err := r.RemoveWorktree(ctx, dir); err != nil {
		return nil, err
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

// RemoveBranchWorktree removes a working tree that AddBranchWorktree made, and its branch. Neither need be there.
func (r *Repo) RemoveBranchWorktree(ctx context.Context, dir, branch string) error {
	if err := r.RemoveWorktree(ctx, dir); err != nil {
		return err
	}
	if _, err := r.write(ctx, nil, "update-ref", "-d", "refs/heads/"+branch); err != nil {
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

// FoldersIn lists the folders in a folder, which need not exist.
func FoldersIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, err
}
