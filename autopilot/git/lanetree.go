package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/git/gitdir"
	"autopilot/autopilot/plainfile"
)

// BranchTakenError says that a branch of somebody else has the name that a working tree of the program needs.
type BranchTakenError struct{ Branch string }

func (e *BranchTakenError) Error() string {
	return fmt.Sprintf("branch %s holds commits that are not this session's. Give it another name: git branch -m %s mine/%s", e.Branch, e.Branch, e.Branch)
}

// At is the working tree whose top folder is dir; nil where there is none. Where only its file .git is gone,
// another repository was made in its place, or the repository was moved, it is linked again, and the files stay as they are.
func (r *Worktrees) At(ctx context.Context, dir string) (*Repo, error) {
	if err := r.Relink(dir); err != nil {
		return nil, err
	}
	there, err := Find(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && r.whole(dir): // git could not look: that does not make the work in it nobody's
		return nil, fmt.Errorf("looking at the working tree %s: %w\nFix what it reports, or remove the folder to have it made again, without what was done in it", dir, err)
	case err != nil || !gitdir.SameFile(there.root, dir) || there.commonDir != r.commonDir:
		return nil, nil //nolint:nilerr // the folder is not there, or lies in this working tree
	}
	there.Config.PinAs(r.config)
	return there, nil
}

// whole says whether a folder and what the repository knows of it are those of a working tree, as far as can be read.
func (r *Worktrees) whole(dir string) bool {
	known := r.knownAs(dir)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || known == "" || !gitdir.SameFile(gitdir.CommonFolderOf(known), r.commonDir) {
		return false
	}
	head, err := plainfile.Read(filepath.Join(known, "HEAD"))
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || gitdir.IsHead(string(head)))
}

// AddBranch makes a second working tree in dir with a branch of its own, both at a commit. A branch of that name
// is taken over only where HEAD holds all its commits; else the error is BranchTakenError.
func (r *Worktrees) AddBranch(ctx context.Context, dir, branch, commit string) (*Repo, error) {
	if tip := "refs/heads/" + branch; r.history.Exists(ctx, tip) {
		if held, err := r.history.IsAncestor(ctx, tip, "HEAD"); err != nil {
			return nil, err
		} else if !held {
			return nil, &BranchTakenError{Branch: branch}
		}
	}
	if err := r.Remove(ctx, dir); err != nil { // what a stopped call left half-made
		return nil, fmt.Errorf("%w. If nothing in the folder is yours, remove it: rm -r '%s'", err, dir)
	}
	if _, err := r.write(ctx, nil, "worktree", "add", "--quiet", "-B", branch, dir, commit); err != nil {
		return nil, fmt.Errorf("making a working tree in %s: %w", dir, err)
	}
	there, err := Find(ctx, dir)
	if err == nil {
		there.Config.PinAs(r.config)
	}
	return there, err
}

// RemoveBranch removes a working tree that AddBranch made, and its branch. Neither need be there. Commits
// of the branch that HEAD does not hold are kept under a ref of the program's own.
func (r *Worktrees) RemoveBranch(ctx context.Context, dir, branch, keep string) error {
	if err := r.Remove(ctx, dir); err != nil {
		return err
	}
	tip := "refs/heads/" + branch
	if !r.history.Exists(ctx, tip) {
		return nil
	}
	held, err := r.history.IsAncestor(ctx, tip, "HEAD")
	if err == nil && !held {
		var free string
		if free, err = r.refs.free(ctx, keep); err == nil {
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
