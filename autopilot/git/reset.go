package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"autopilot/autopilot/git/disk"
)

// Reset puts these paths back, in the index and in the working tree, as they were at a commit; those that are not in
// it are removed. Their present state is saved under saveRef first (see Save), unless that is "": then the caller
// has done so. No other path and no other index entry is touched: where an unnamed path stands in the way nothing is
// done and the error is PathBlockedError.
func (r *Files) Reset(ctx context.Context, base string, paths []string, saveRef string) (Saved, error) {
	paths = projectPaths(paths)
	if len(paths) == 0 {
		return Saved{}, nil
	}
	files, err := r.history.listTree(ctx, base)
	if err != nil {
		return Saved{}, fmt.Errorf("reading %s: %w", base, err)
	}
	plan := planReset(files, paths)
	d, err := r.openDisk()
	if err != nil {
		return Saved{}, err
	}
	defer d.Close()
	if err := plan.check(d); err != nil {
		return Saved{}, err
	}
	var saved Saved
	if saveRef != "" {
		if saved, err = r.Save(ctx, saveRef, "Before a reset to "+base, paths); err != nil {
			return saved, err
		}
	}
	return saved, r.reset(ctx, d, plan)
}

// Obstacles lists what a Reset of these paths from one commit to another would overwrite, since git doesn't track it at the
// first, or stop at: what is in the way of a file, and submodules.
func (r *Files) Obstacles(ctx context.Context, from, to string, paths []string) ([]string, error) {
	before, errBefore := r.history.listTree(ctx, from)
	after, errAfter := r.history.listTree(ctx, to)
	if err := errors.Join(errBefore, errAfter); err != nil {
		return nil, fmt.Errorf("reading %s and %s: %w", from, to, err)
	}
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var found []string
	for _, path := range paths {
		_, tracked := before[path]
		if f, err := d.Look(path); err != nil || !tracked && f.Mode != "" || before[path].Mode == submodule || after[path].Mode == submodule {
			found = append(found, path)
		}
	}
	if blocked, is := errors.AsType[*PathBlockedError](planReset(after, paths).check(d)); is {
		found = append(found, blocked.By)
	}
	return found, nil
}

// resetPlan is what a reset does, in this order.
type resetPlan struct {
	remove []string
	write  []File
}

func planReset(files map[string]File, paths []string) resetPlan {
	var plan resetPlan
	for _, path := range paths {
		f, ok := files[path]
		switch {
		case !ok:
			plan.remove = append(plan.remove, path)
		case f.Mode != submodule:
			plan.write = append(plan.write, f)
		}
	}
	return plan
}

// check refuses a reset for which git would have to delete something that is not among the paths.
func (p resetPlan) check(d disk.Disk) error {
	leaving := map[string]bool{}
	for _, path := range p.remove {
		leaving[path] = true
	}
	for _, f := range p.write {
		if by := d.Blocker(f.Path); by != "" && !leaving[by] {
			return &PathBlockedError{Path: f.Path, By: by}
		}
		if by := d.Stranger(f.Path, leaving); by != "" {
			return &PathBlockedError{Path: f.Path, By: by}
		}
	}
	return nil
}

func (r *Files) reset(ctx context.Context, d disk.Disk, plan resetPlan) error {
	for _, path := range plan.remove {
		if f, err := d.Look(path); err != nil || f.Mode == "" {
			continue
		}
		if err := d.Delete(path); err != nil {
			return fmt.Errorf("removing %q: %w", path, err)
		}
	}
	var entries strings.Builder
	for _, path := range plan.remove {
		fmt.Fprintf(&entries, "0 %s\t%s\x00", r.zeroID(), path)
	}
	var present []string
	for _, f := range plan.write {
		fmt.Fprintf(&entries, "%s %s\t%s\x00", f.Mode, f.Blob, f.Path)
		present = append(present, f.Path)
	}
	if _, err := r.write(ctx, []byte(entries.String()), "update-index", "-z", "--index-info"); err != nil {
		return fmt.Errorf("resetting the index: %w", err)
	}
	_, err := r.write(ctx, joined(present), "checkout-index", "--force", "--index", "--quiet", "-z", "--stdin")
	if err != nil {
		return fmt.Errorf("putting files back: %w", err)
	}
	return nil
}
