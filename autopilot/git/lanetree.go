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

// BranchTakenError says that a branch of somebody else has the name that a working tree of the program needs.
type BranchTakenError struct{ Branch string }

func (e *BranchTakenError) Error() string {
	return fmt.Sprintf("branch %s holds commits that are not this session's. Give it another name: git branch -m %s mine/%s", e.Branch, e.Branch, e.Branch)
}

// WorktreeAt is the working tree whose top folder is dir; nil where there is none. Where only its file .git is gone,
// another repository was made in its place, or the repository was moved, it is linked again, and the files stay as they are.
func (r *Repo) WorktreeAt(ctx context.Context, dir string) (*Repo, error) {
	if err := r.Relink(dir); err != nil {
		return nil, err
	}
	there, err := Find(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && r.whole(dir): // git could not look: that does not make the work in it nobody's
		return nil, fmt.Errorf("looking at the working tree %s: %w\nMend what is told, or remove the folder to have it made anew, without what was done in it", dir, err)
	case err != nil || !sameDir(there.root, dir) || there.commonDir != r.commonDir:
		return nil, nil //nolint:nilerr // the folder is not there, or lies in this working tree
	}
	there.PinAs(r)
	return there, nil
}

// whole says whether a folder and what the repository knows of it are those of a working tree, as far as can be read.
func (r *Repo) whole(dir string) bool {
	known := r.knownAs(dir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || known == "" || !sameDir(commonFolderOf(known), r.commonDir) {
		return false
	}
	head, err := readPlain(filepath.Join(known, "HEAD"))
	var odd *NotPlainError
	gone := errors.Is(err, fs.ErrNotExist) || errors.As(err, &odd) || err == nil && !isHead(strings.TrimSpace(string(head)))
	return !gone
}

// Stands says whether the folder is there and still is this working tree: without its link a folder inside of another
// working tree would be taken for a part of that one.
func (r *Repo) Stands() bool {
	if r.gitDir == r.commonDir {
		return true
	}
	_, err := os.Stat(filepath.Join(r.gitDir, "HEAD"))
	return err == nil && sameDir(linkOf(r.root), r.gitDir)
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
	there, err := Find(ctx, dir)
	if err == nil {
		there.PinAs(r)
	}
	return there, err
}

func sameDir(a, b string) bool {
	if a == b {
		return true
	}
	one, err := filepath.EvalSymlinks(a)
	other, err2 := filepath.EvalSymlinks(b)
	return err == nil && err2 == nil && one == other
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
	out, err := r.read(ctx, "for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/")
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
