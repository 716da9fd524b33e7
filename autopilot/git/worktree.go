package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AddWorktree makes a second working tree of a commit in dir, with a detached HEAD.
func (r *Repo) AddWorktree(ctx context.Context, dir, commit string) error {
	if _, err := r.write(ctx, nil, "worktree", "add", "--quiet", "--detach", dir, commit); err != nil {
		return fmt.Errorf("making a working tree in %s: %w", dir, err)
	}
	return nil
}

// RemoveWorktree removes a working tree that AddWorktree made, with everything in it.
func (r *Repo) RemoveWorktree(ctx context.Context, dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) && r.knownAs(dir) == "" {
		return nil
	}
	_, err := r.write(ctx, nil, "worktree", "remove", "--force", "--force", dir)
	if err == nil {
		return nil
	}
	if !r.ownsWorktree(dir) {
		return fmt.Errorf("removing the working tree %s: %w", dir, err)
	}
	known := r.knownAs(dir) // git's own prune would forget every tree that is not whole
	err = os.RemoveAll(dir)
	if known != "" {
		err = errors.Join(err, os.RemoveAll(known))
	}
	return err
}

// ownsWorktree keeps RemoveWorktree from deleting a folder that is no working tree of this repository: such a folder
// has a file .git that leads into the common git folder, or is already gone.
func (r *Repo) ownsWorktree(dir string) bool {
	link, err := readPlain(filepath.Join(dir, ".git"))
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Lstat(dir)
		return errors.Is(err, fs.ErrNotExist)
	}
	target := filepath.FromSlash(strings.TrimSpace(strings.TrimPrefix(string(link), "gitdir: ")))
	return err == nil && strings.HasPrefix(target, filepath.Join(r.commonDir, "worktrees")+string(filepath.Separator))
}

// Exclude adds patterns to .git/info/exclude, which all working trees share and no commit holds. Those that are there
// already are not added again.
func (r *Repo) Exclude(_ context.Context, patterns ...string) error {
	name := filepath.Join(r.commonDir, "info", "exclude")
	old, err := readPlain(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(old)
	have := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, pattern := range patterns {
		if !slices.Contains(have, pattern) {
			text += pattern + "\n"
			have = append(have, pattern)
		}
	}
	if text == string(old) {
		return nil
	}
	return r.replaceFile(name, []byte(text))
}

// replaceFile writes a file of the git folder in one go. What a kill leaves of it lies where the next run clears it away.
func (r *Repo) replaceFile(name string, data []byte) error {
	own := filepath.Join(r.gitDir, "autopilot")
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.MkdirAll(own, 0o755)); err != nil {
		return err
	}
	f, err := os.CreateTemp(own, ".autopilot-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), name)
}
