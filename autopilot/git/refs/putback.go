package refs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"autopilot/autopilot/git"
)

// PutBack makes branch, HEAD, refs and index what they were at Watch, and ends an operation that was left unfinished.
// The working tree stays as it is. What the dispatch made is kept below refPrefix (refs/autopilot/…): HEAD as "head",
// the staged files as "index", and each moved or new ref under its own name without "refs/"; of a ref that stays moved, what
// it was. Called again after it was
// cut short, it goes on: what is back already is not moved, so that nothing kept is overwritten.
func (r Guards) PutBack(ctx context.Context, g Guard, d Deviation, refPrefix string) error {
	index, err := r.guardedIndex(g)
	if err != nil {
		return err
	}
	if err := r.keepDeviation(ctx, g, d, strings.TrimSuffix(refPrefix, "/")); err != nil {
		return fmt.Errorf("keeping what the dispatch made: %w", err)
	}
	if g.Operation == "" {
		if err := r.repo.EndOperation(); err != nil {
			return err
		}
	}
	if err := r.putRefsBack(ctx, g, d); err != nil {
		return fmt.Errorf("putting branch and refs back: %w", err)
	}
	if !d.IndexChanged {
		return nil
	}
	if err := r.repo.Index.Store(ctx, index); err != nil {
		return fmt.Errorf("putting the index back: %w", err)
	}
	return nil
}

// PutRefsBack does to the refs what PutBack does, for a dispatch whose own working tree is gone, and tells what it put
// back. It is called for another tree of the repository, in the process that called Watch. The branch of the tree that is
// gone, and the stash, whose log went with it, stay as they are.
func (r Guards) PutRefsBack(ctx context.Context, g Guard, refPrefix string) (Deviation, error) {
	var d Deviation
	list, here := g.copies[g.Refs]
	if !here {
		return d, nil
	}
	_, now, err := r.positionAndRefs(ctx)
	if err != nil {
		return d, err
	}
	before := parseRefTable(list)
	before.take(g.Ours)
	moved := slices.DeleteFunc(r.logs().withoutOthers(ctx, g, before.moved(now)), func(m Moved) bool {
		return m.Name == "refs/heads/"+g.Branch || m.Name == "refs/stash"
	})
	d.Refs, d.Left = r.logs().split(g, moved, now)
	d.judgeRefs(Guard{})
	if err := r.keepDeviation(ctx, Guard{}, d, strings.TrimSuffix(refPrefix, "/")); err != nil {
		return d, fmt.Errorf("keeping what the dispatch made: %w", err)
	}
	return d, r.putRefsBack(ctx, Guard{}, d)
}

func (r Guards) keepDeviation(ctx context.Context, g Guard, d Deviation, prefix string) error {
	if !strings.HasPrefix(prefix, git.OwnRefs) {
		return fmt.Errorf("%s is not below %s", prefix, git.OwnRefs)
	}
	var batch git.RefBatch
	if d.Now.Head != g.Head && d.Now.Head != "" {
		batch.Set(prefix+"/head", d.Now.Head)
	}
	for _, m := range d.Refs {
		if m.After != "" && !strings.HasPrefix(m.After, "ref:") {
			batch.Set(prefix+"/"+strings.TrimPrefix(m.Name, "refs/"), m.After)
		}
	}
	for _, m := range d.Left {
		if m.Before != "" && !strings.HasPrefix(m.Name, "refs/remotes/") && !strings.HasPrefix(m.Before, "ref:") {
			batch.Set(prefix+"/"+strings.TrimPrefix(m.Name, "refs/"), m.Before)
		}
	}
	if tree := r.stagedTree(ctx, d); tree != "" {
		batch.Set(prefix+"/index", tree)
	}
	return r.repo.Refs.Update(ctx, batch)
}

// stagedTree is the index as a tree object; "" when it did not change or cannot be one (unmerged files).
func (r Guards) stagedTree(ctx context.Context, d Deviation) string {
	if !d.IndexChanged {
		return ""
	}
	out, err := r.repo.Write(ctx, nil, "write-tree")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// putRefsBack deletes before it creates: a branch "a" and a branch "a/b" cannot be there at the same time. HEAD goes
// first, so that an agent's branch is not deleted under it.
func (r Guards) putRefsBack(ctx context.Context, g Guard, d Deviation) error {
	var removed, set git.RefBatch
	if g.Branch == "" && (d.Now.Branch != "" || d.Now.Head != g.Head) {
		set.Set("HEAD", g.Head)
	}
	if g.Branch != "" && d.Now.Branch != g.Branch {
		if _, err := r.repo.Write(ctx, nil, "symbolic-ref", "-m", "autopilot: put back", "HEAD", "refs/heads/"+g.Branch); err != nil {
			return err
		}
	}
	for _, m := range d.Refs {
		target, symbolic := strings.CutPrefix(m.Before, "ref:")
		switch {
		case m.Before == "":
			removed.Remove(m.Name)
		case symbolic:
			if _, err := r.repo.Write(ctx, nil, "symbolic-ref", m.Name, target); err != nil {
				return err
			}
		default:
			set.Set(m.Name, m.Before)
		}
	}
	if err := r.repo.Refs.Update(ctx, removed); err != nil {
		return err
	}
	if err := r.repo.Refs.Update(ctx, set); err != nil {
		return err
	}
	return r.putStashBack(g, d)
}

// putStashBack restores the log of the stash, which is the list of its entries.
func (r Guards) putStashBack(g Guard, d Deviation) error {
	stash := r.logs().of("refs/stash")
	switch {
	case !hasMoved(d.Refs, "refs/stash"):
		return nil
	case g.Stash == "":
		return os.RemoveAll(stash)
	}
	log, err := r.recall(g, g.Stash)
	if err != nil {
		return err
	}
	return r.repo.Replace(stash, log)
}

// PutBrokenIndexBack makes the index what it was at Watch where git cannot read it any more, and says whether it did. All
// else that is asked of git fails before that.
func (r Guards) PutBrokenIndexBack(ctx context.Context, g Guard) (bool, error) {
	if info, err := os.Lstat(r.indexFile()); err == nil && info.IsDir() {
		if err := os.RemoveAll(r.indexFile()); err != nil {
			return false, fmt.Errorf("putting the index back: %w", err)
		}
		was, err := r.guardedIndex(g)
		return err == nil, errors.Join(err, r.repo.Index.Store(ctx, was))
	}
	now, err := r.repo.Index.Load()
	if err != nil || !now.Exists || g.Head == "" || r.repo.Index.IsWhole(now.Bytes) {
		return false, err
	}
	was, err := r.guardedIndex(g)
	if err != nil || was.Exists && !r.repo.Index.IsWhole(was.Bytes) {
		return false, err
	}
	if err := r.repo.Index.Store(ctx, was); err != nil {
		return false, fmt.Errorf("putting the index back: %w", err)
	}
	return true, nil
}
