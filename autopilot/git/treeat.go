package git

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// TreeHashAt is what TreeHash would say of a working tree that is exactly as a commit has it.
func (r *Repo) TreeHashAt(ctx context.Context, revision string) (string, error) {
	t, err := r.treeAt(ctx, revision)
	return t.sum(), err
}

// TreeHashWith is the TreeHash of HEAD with these paths as they are in the working tree: what a commit of them holds.
func (r *Repo) TreeHashWith(ctx context.Context, paths []string) (string, error) {
	listed, err := r.workTree(ctx)
	if err != nil {
		return "", err
	}
	t, err := r.treeAtHead(ctx, listed.index)
	if err != nil {
		return "", err
	}
	for _, path := range projectPaths(paths) {
		if f, ok := listed.work[path]; ok {
			t[path] = f
		} else {
			delete(t, path)
		}
	}
	return t.sum(), nil
}

// treeAt lists a commit's files, without run data and submodules.
func (r *Repo) treeAt(ctx context.Context, revision string) (tree, error) {
	files, err := r.listTree(ctx, revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", revision, err)
	}
	t := tree{}
	for path, f := range files {
		if f.Mode != submodule && !IsRunData(path) {
			t[path] = f
		}
	}
	return t, nil
}

// treeAtHead is the index, where nothing is staged; else git is asked.
func (r *Repo) treeAtHead(ctx context.Context, index tree) (tree, error) {
	now, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(now.Dirt, func(c Change) bool { return c.Staged || c.Status == 'A' && !c.Untracked }) {
		return r.treeAt(ctx, "HEAD")
	}
	return maps.Clone(index), nil
}
