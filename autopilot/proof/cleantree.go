package proof

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"autopilot/autopilot/git"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// Tree is a working tree outside of the repository in which what judges is run: one for a session or a lane, at a place that
// stays the same, so that the caches of builds hit.
type Tree struct {
	Repo   *git.Repo // of the working tree that the work is in
	Dir    string    // the top folder of the tree; "": there is no place for one
	Home   string    // the top folder of the repository's own working tree, which ignored paths are copied from
	Setup  worktree.Setup
	Runner validate.Runner
	Last   *Last // what it was asked last; nil: each question is asked

	// Making is held while a working tree is made: git reads what it knows of all of them, and fails at one that is half made. It
	// may be nil.
	Making sync.Locker
}

// Open makes the tree, or takes up the one that is there, and makes it ready. It returns what the tree lacks all the same,
// and a *worktree.NotReadyError where it cannot be made ready.
func (t Tree) Open(ctx context.Context, commit string) ([]worktree.Lack, error) {
	if t.Dir == "" {
		return nil, &worktree.NotReadyError{Err: errors.New("there is no folder for a clean working tree; set XDG_CACHE_HOME or HOME")}
	}
	there, err := t.Repo.Worktrees.At(ctx, t.Dir)
	if err == nil && there == nil {
		there, err = t.add(ctx, commit)
	}
	if err != nil {
		return nil, err
	}
	return worktree.EnsureSetup(ctx, t.Runner, t.Setup, t.Home, there)
}

func (t Tree) add(ctx context.Context, commit string) (*git.Repo, error) {
	if t.Making != nil {
		t.Making.Lock()
		defer t.Making.Unlock()
	}
	if err := errors.Join(t.remove(ctx), os.MkdirAll(filepath.Dir(t.Dir), 0o700)); err != nil {
		return nil, err
	}
	if err := t.Repo.Worktrees.Add(ctx, t.Dir, commit); err != nil {
		return nil, err
	}
	return t.Repo.Worktrees.At(ctx, t.Dir)
}

// Lay makes the tree what a commit has, with these paths as the work has them, and without those that are to be gone. What git
// ignores there stays, but for the caches of test programs.
func (t Tree) Lay(ctx context.Context, commit string, paths []string, gone ...string) error {
	if err := t.Repo.Worktrees.Renew(ctx, t.Dir, commit); err != nil {
		return err
	}
	from, err := os.OpenRoot(t.Repo.Root())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(t.Dir)
	if err != nil {
		return err
	}
	defer to.Close()
	for _, name := range caches {
		if err := to.RemoveAll(name); err != nil {
			return fmt.Errorf("removing the cache %s of a test program: %w", name, err)
		}
	}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		if err := lay(from, to, filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("bringing %s into the clean working tree: %w", path, err)
		}
	}
	for _, path := range gone {
		if err := to.RemoveAll(filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("removing %s from the clean working tree: %w", path, err)
		}
	}
	return nil
}

// Export copies to a folder what a commit has, as far as it is wanted there.
func (t Tree) Export(ctx context.Context, commit, dir string, wanted func(path string) bool) error {
	if err := t.Lay(ctx, commit, nil); err != nil {
		return err
	}
	there, err := t.Repo.Worktrees.At(ctx, t.Dir)
	if err != nil {
		return err
	}
	files, err := there.Tree.Files(ctx)
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(t.Dir)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer to.Close()
	for _, path := range files {
		if !wanted(path) {
			continue
		}
		if err := lay(from, to, filepath.FromSlash(path)); err != nil {
			return fmt.Errorf("exporting %s: %w", path, err)
		}
	}
	return nil
}

// Close removes the tree. There may be none.
func (t Tree) Close(ctx context.Context) error {
	if t.Dir == "" {
		return nil
	}
	err := t.remove(context.WithoutCancel(ctx))
	_ = os.Remove(filepath.Dir(t.Dir)) // only when it is empty
	return err
}

// remove also removes one that a kill left half made, which git does not know yet: nobody else has a folder there.
func (t Tree) remove(ctx context.Context) error {
	if err := t.Repo.Worktrees.Remove(ctx, t.Dir); err == nil {
		return nil
	}
	if err := os.RemoveAll(t.Dir); err != nil {
		return err
	}
	return t.Repo.Worktrees.Remove(ctx, t.Dir)
}

// here is an environment whose programs are this tree's, where it has its own: those of a virtual environment that is active in
// the working tree at home would find the code there.
func (t Tree) here(env []string) []string {
	env = slices.Clone(env)
	for i, e := range env {
		name, list, _ := strings.Cut(e, "=")
		if name != "PATH" && name != "VIRTUAL_ENV" {
			continue
		}
		places := filepath.SplitList(list)
		for j, place := range places {
			rel, err := filepath.Rel(t.Home, place)
			if err != nil || !filepath.IsLocal(rel) {
				continue
			}
			own := filepath.Join(t.Dir, rel)
			if _, err := os.Stat(own); err == nil {
				places[j] = own
			}
		}
		env[i] = name + "=" + strings.Join(places, string(filepath.ListSeparator))
	}
	return env
}

// caches are what test programs remember of earlier runs.
var caches = []string{".pytest_cache", "target/test-classes", "target/surefire-reports", "build/classes/java/test", "node_modules/.cache", "node_modules/.vite"}

// lay makes a path what it is in another folder: a file, a link, or nothing.
func lay(from, to *os.Root, path string) error {
	info, err := from.Lstat(path)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	if err := to.RemoveAll(path); err != nil || gone {
		return err
	}
	if err := to.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := from.Readlink(path)
		if err != nil {
			return err
		}
		return to.Symlink(target, path)
	case !info.Mode().IsRegular():
		return nil // a folder, such as a repository of its own: git does not take it either
	}
	data, err := from.ReadFile(path)
	if err != nil {
		return err
	}
	return to.WriteFile(path, data, info.Mode().Perm())
}
