package git

import (
	"context"
	"path/filepath"
	"time"
)

// ChangedAfter says whether a file, or a link, was written, moved or given other rights after a time. Of one that is gone
// nobody knows: false.
func ChangedAfter(path string, t time.Time) bool {
	changed, err := changedAt(path)
	return err == nil && changed.After(t)
}

// MovedAfter says whether another branch or commit was checked out after a time, or an operation was begun that is not
// finished, such as a merge.
func (r *Repo) MovedAfter(t time.Time) bool {
	for _, o := range operations {
		if ChangedAfter(filepath.Join(r.gitDir, o.file), t) {
			return true
		}
	}
	return ChangedAfter(filepath.Join(r.gitDir, "HEAD"), t)
}

// Accept makes part of a guard what was done to branch, refs and index after a time at which nothing of the dispatch was
// left: a person did it. What was deleted shows no time, and is not accepted; nor is a ref that was packed.
func (r *Repo) Accept(ctx context.Context, g *Guard, after time.Time) error {
	now, err := r.refs(ctx)
	if err != nil {
		return err
	}
	moved, err := r.movedRefs(ctx, *g, now)
	if err != nil {
		return err
	}
	for _, m := range moved {
		if m.After == "" || !ChangedAfter(filepath.Join(r.commonDir, filepath.FromSlash(m.Name)), after) {
			continue
		}
		g.Ours = append(g.Ours, m)
		if m.Name == "refs/heads/"+g.Branch {
			g.Head = m.After
		}
	}
	if !ChangedAfter(r.indexPath(), after) {
		return nil
	}
	return r.keepIndex(g)
}
