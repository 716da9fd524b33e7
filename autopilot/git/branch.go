package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// UsualDefaults are the names that default branches usually have.
var UsualDefaults = []string{"main", "master", "trunk"}

// IsDefault reports whether a branch is one that work is merged into: it has a usual name, or is the DefaultBranch. A clone
// may name another branch as origin/HEAD than the one that its people merge into.
func (r *Repo) IsDefault(ctx context.Context, branch string) (bool, error) {
	if slices.Contains(UsualDefaults, branch) {
		return true, nil
	}
	standard, err := r.DefaultBranch(ctx)
	return branch != "" && branch == standard, err
}

// DefaultBranch is the branch that work is merged into: the one that origin/HEAD names, else the configured
// init.defaultBranch or one with a usual name where such a branch exists, else the only branch there is. "" when none of
// these tells.
func (r *Repo) DefaultBranch(ctx context.Context) (string, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(refname) %(symref)", "refs/heads", "refs/remotes/origin/HEAD")
	if err != nil {
		return "", fmt.Errorf("looking for the default branch: %w", err)
	}
	var branches []string
	for _, line := range split(out, '\n') {
		name, target, _ := strings.Cut(line, " ")
		if branch, ok := strings.CutPrefix(target, "refs/remotes/origin/"); ok {
			return branch, nil
		}
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			branches = append(branches, branch)
		}
	}
	set, err := r.readSettings(ctx)
	if err != nil {
		return "", fmt.Errorf("looking for the default branch: %w", err)
	}
	for _, name := range append([]string{set.defaultBranch}, UsualDefaults...) {
		if slices.Contains(branches, name) {
			return name, nil
		}
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	return "", nil
}

// CreateBranch makes a branch at HEAD and switches to it; files and index stay as they are. A taken name gets -2, -3
// and so on. It returns the name that the branch got.
func (r *Repo) CreateBranch(ctx context.Context, name string) (string, error) {
	make := func(branch string) error {
		if _, err := r.write(ctx, nil, "switch", "--quiet", "--no-guess", "--no-track", "--create", branch); err != nil {
			return fmt.Errorf("making the branch %s: %w", branch, err)
		}
		return nil
	}
	failed := make(name)
	if failed == nil {
		return name, nil
	}
	refs, err := r.ListRefs(ctx, "refs/heads")
	if err != nil {
		return "", err
	}
	branch := strings.TrimPrefix(firstFree("refs/heads/"+name, refs), "refs/heads/")
	if branch == name {
		return "", failed
	}
	return branch, make(branch)
}
