package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MoveRef moves a ref of the program's own (refs/autopilot/…) or a branch from one commit to another, where it still is
// at the first; from "" makes it. It says false when somebody else moved it.
func (r *Repo) MoveRef(ctx context.Context, name, to, from string) (bool, error) {
	if from == "" {
		from = strings.Repeat("0", len(to))
	}
	_, err := r.write(ctx, nil, "update-ref", "--no-deref", name, to, from)
	if err == nil {
		return true, nil
	}
	refs, listErr := r.ListRefs(ctx, name)
	if listErr != nil || len(refs) == 0 || refs[0].Object == from {
		return false, fmt.Errorf("moving %s: %w", name, err)
	}
	return false, nil
}

// Advance takes HEAD, index and working tree to another commit. Files that are uncommitted stay as they are; where one
// of them differs between the two commits nothing is done, and it is an error.
func (r *Repo) Advance(ctx context.Context, commit string) error {
	if _, err := r.write(ctx, nil, "reset", "--quiet", "--keep", commit); err != nil {
		return fmt.Errorf("going on to %.7s: %w", commit, err)
	}
	return nil
}

// Differing lists the paths that two commits have otherwise: added, changed or deleted, both sides of a rename.
func (r *Repo) Differing(ctx context.Context, from, to string) ([]string, error) {
	out, err := r.read(ctx, "diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to)
	if err != nil {
		return nil, fmt.Errorf("comparing %.7s with %.7s: %w", from, to, err)
	}
	return projectPaths(split(out, 0)), nil
}

// CheckedOut says whether some working tree of the repository has a branch checked out.
func (r *Repo) CheckedOut(ctx context.Context, branch string) (bool, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(worktreepath)", "refs/heads/"+branch)
	return strings.TrimSpace(string(out)) != "", err
}

// Made is when a commit was made, to the second.
func (r *Repo) Made(ctx context.Context, revision string) (time.Time, error) {
	out, err := r.read(ctx, "show", "--no-patch", "--no-show-signature", "--format=%ct", revision+"^{commit}", "--")
	if err != nil {
		return time.Time{}, fmt.Errorf("looking at %s: %w", revision, err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Unix(seconds, 0), err
}
