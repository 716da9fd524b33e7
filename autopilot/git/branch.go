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
func (r *Refs) IsDefault(ctx context.Context, branch string) (bool, error) {
	if slices.Contains(UsualDefaults, branch) {
		return true, nil
	}
	standard, err := r.DefaultBranch(ctx)
	return branch != "" && branch == standard, err
}

// DefaultBranch is the branch that work is merged into: the one that origin/HEAD names, else the configured
// init.defaultBranch or one with a usual name where such a branch exists, else the only branch there is. "" when none of
// these tells.
func (r *Refs) DefaultBranch(ctx context.Context) (string, error) {
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
	set, err := r.config.readSettings(ctx)
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
func (r *Refs) CreateBranch(ctx context.Context, name string) (string, error) {
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
	refs, err := r.List(ctx, "refs/heads")
	if err != nil {
		return "", err
	}
	branch := strings.TrimPrefix(firstFree("refs/heads/"+name, refs), "refs/heads/")
	if branch == name {
		return "", failed
	}
	return branch, make(branch)
}

// Advance takes HEAD, index and working tree to another commit. Files that are uncommitted stay as they are; where one
// of them differs between the two commits nothing is done, and it is an error.
func (r *Refs) Advance(ctx context.Context, commit string) error {
	if _, err := r.write(ctx, nil, "reset", "--quiet", "--keep", commit); err != nil {
		return fmt.Errorf("going on to %.7s: %w", commit, err)
	}
	return nil
}

// CheckedOut says whether some working tree of the repository has a branch checked out.
func (r *Refs) CheckedOut(ctx context.Context, branch string) (bool, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(worktreepath)", "refs/heads/"+branch)
	return strings.TrimSpace(string(out)) != "", err
}

// Ends lists the refs that show where a branch ends, as far as they are there: its own, and the one that shows it as its
// remote has it. Where nothing is configured that is the one of origin.
func (r *Refs) Ends(ctx context.Context, branch string) ([]Ref, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(objectname) %(refname) %(upstream)", "refs/heads", "refs/remotes")
	if err != nil {
		return nil, fmt.Errorf("looking where branch %s ends: %w", branch, err)
	}
	own, followed, objects := "refs/heads/"+branch, "refs/remotes/origin/"+branch, map[string]string{}
	for _, line := range split(out, '\n') {
		f := strings.Fields(line) // no name has a space
		if objects[f[1]] = f[0]; f[1] == own && len(f) == 3 {
			followed = f[2]
		}
	}
	var ends []Ref
	for _, name := range []string{own, followed} {
		if object, ok := objects[name]; ok {
			ends = append(ends, Ref{Name: name, Object: object})
		}
	}
	return ends, nil
}

// Branches lists the branches whose names begin with a prefix, in order.
func (r *Refs) Branches(ctx context.Context, prefix string) ([]string, error) {
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
