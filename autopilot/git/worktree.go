package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git/gitdir"
)

// Worktrees makes, finds and removes the repository's other working trees.
type Worktrees struct {
	*runner
	config  *Config
	history *History
	refs    *Refs
}

// Add makes a second working tree of a commit in dir, with a detached HEAD.
func (r *Worktrees) Add(ctx context.Context, dir, commit string) error {
	if _, err := r.write(ctx, nil, "worktree", "add", "--quiet", "--detach", dir, commit); err != nil {
		return fmt.Errorf("making a working tree in %s: %w", dir, err)
	}
	return nil
}

// Renew makes a working tree that Add made what a commit has. What git ignores there stays.
func (r *Worktrees) Renew(ctx context.Context, dir, commit string) error {
	there, err := r.At(ctx, dir)
	if err == nil && there == nil {
		err = fs.ErrNotExist
	}
	for _, args := range [][]string{{"checkout", "--quiet", "--force", "--detach", commit}, {"clean", "-ffdq"}} {
		if err == nil {
			_, err = there.Worktrees.write(ctx, nil, append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
		}
	}
	if err != nil {
		return fmt.Errorf("making the working tree %s what %s has: %w", dir, commit, err)
	}
	return nil
}

// Remove removes a working tree that Add made, with everything in it.
func (r *Worktrees) Remove(ctx context.Context, dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) && r.knownAs(dir) == "" {
		return nil
	}
	_, err := r.write(ctx, nil, "worktree", "remove", "--force", "--force", dir)
	if err == nil {
		return nil
	}
	if !r.owns(dir) {
		return fmt.Errorf("removing the working tree %s: %w", dir, err)
	}
	known := r.knownAs(dir) // git's own prune would forget every tree that is not whole
	err = os.RemoveAll(dir)
	if known != "" {
		err = errors.Join(err, os.RemoveAll(known))
	}
	return err
}

// owns keeps Remove from deleting a folder that is no working tree of this repository: such a folder
// has a file .git that leads into the common git folder, or is already gone.
func (r *Worktrees) owns(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, ".git")); errors.Is(err, fs.ErrNotExist) {
		_, err := os.Lstat(dir)
		return errors.Is(err, fs.ErrNotExist)
	}
	return strings.HasPrefix(gitdir.LinkOf(dir), filepath.Join(r.commonDir, "worktrees")+string(filepath.Separator))
}

// List lists the top folders of the repository's second working trees, those that are gone and not forgotten too.
func (r *Worktrees) List() ([]string, error) {
	gitDirs, err := gitdir.Linked(r.commonDir)
	var dirs []string
	for _, gitDir := range gitDirs {
		if dir := gitdir.TreeOf(gitDir); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs, err
}

// Relink mends the link between the repository and a second working tree of its own in dir, where one of the two files
// that make it is gone, or both name a place where they no longer lie. What stands in the link's place is kept in the git
// folder.
func (r *Worktrees) Relink(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil //nolint:nilerr // there is nothing to be linked
	}
	known := r.knownAs(dir)
	if known == "" {
		if known = r.knewAs(dir); known == "" {
			return nil
		}
		if err := r.Replace(filepath.Join(known, "gitdir"), []byte(filepath.ToSlash(filepath.Join(dir, ".git"))+"\n")); err != nil {
			return err
		}
	}
	return r.mendLink(dir, known)
}

// mendLink mends the file .git of a working tree that the repository knows.
func (r *Worktrees) mendLink(dir, known string) error {
	if gitdir.SameFile(gitdir.LinkOf(dir), known) {
		return nil
	}
	link, aside := filepath.Join(dir, ".git"), filepath.Join(known, "replaced")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(link, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("linking the working tree %s again: %w", dir, err)
	}
	return os.WriteFile(link, []byte("gitdir: "+filepath.ToSlash(known)+"\n"), 0o644)
}

// knownAs is the git folder of the second working tree in dir; "" where the repository knows of none.
func (r *Worktrees) knownAs(dir string) string {
	all, _ := gitdir.Linked(r.commonDir)
	for _, gitDir := range all {
		if root := gitdir.TreeOf(gitDir); root != "" && (root == dir || gitdir.SameFile(root, dir)) {
			return gitDir
		}
	}
	return ""
}

// knewAs is the git folder of a working tree that was moved or copied together with the repository; "" where it was not.
// Both ends still name each other in one and the same folder, that of old. Git's own repair would change what lies there, too,
// and that may be what was copied.
func (r *Worktrees) knewAs(dir string) string {
	below, err := filepath.Rel(filepath.Dir(r.commonDir), dir)
	if err != nil || !filepath.IsLocal(below) {
		return ""
	}
	all, _ := gitdir.Linked(r.commonDir)
	for _, gitDir := range all {
		from, is := strings.CutSuffix(gitdir.TreeOf(gitDir), string(filepath.Separator)+below)
		if is && gitdir.LinkOf(dir) == filepath.Join(from, filepath.Base(r.commonDir), "worktrees", filepath.Base(gitDir)) {
			return gitDir
		}
	}
	return ""
}
