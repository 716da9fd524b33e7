package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/storage"
)

// openTree opens the session's own working tree, if it has one.
func (w *workspace) openTree(ctx context.Context, s machine.State) error {
	if w.workTree == "" {
		return nil
	}
	dir := filepath.Join(w.repo.Root(), filepath.FromSlash(w.workTree))
	switch _, err := os.Stat(dir); {
	case errors.Is(err, os.ErrNotExist):
		return console.UsageError("the session's working tree %s is gone. Bring it back: git worktree prune && %sgit worktree add %s %s", w.workTree, w.bringsBack(ctx, s), shell.QuotePath(w.workTree), shell.QuoteWord(s.Branch))
	case err != nil:
		return err
	}
	return w.enter(ctx, dir)
}

// bringsBack is the command that makes a session's branch anew, where that is gone too.
func (w *workspace) bringsBack(ctx context.Context, s machine.State) string {
	back := autopilot.BringBack(ctx, w.repo, s)
	if back == "" || w.repo.Exists(ctx, "refs/heads/"+s.Branch) {
		return ""
	}
	return back + " && "
}

// enter has the session work in a working tree that is there. The repository may have been moved since it was made.
func (w *workspace) enter(ctx context.Context, dir string) error {
	err := w.repo.Relink(dir)
	if err != nil {
		return err
	}
	w.work, err = repoAt(ctx, dir, git.Open)
	return err
}

// makeTree makes a working tree of HEAD for a new session, once its spec is known to be good.
func (w *workspace) makeTree(ctx context.Context, cfg *config.Config) error {
	if _, _, _, err := autopilot.ReadNewSpec(w.repo.Root(), w.spec); err != nil {
		return err
	}
	w.workTree = ".harness/" + autopilot.WorktreesDir + "/" + autopilot.RefName(w.slug)
	dir := filepath.Join(w.repo.Root(), filepath.FromSlash(w.workTree))
	_, err := os.Stat(dir)
	fresh := errors.Is(err, os.ErrNotExist)
	if err != nil && !fresh {
		return err
	}
	if fresh {
		position, err := w.repo.Position(ctx)
		if err != nil {
			return err
		}
		if err := w.repo.Exclude(ctx, runData...); err != nil {
			return err
		}
		if err := w.repo.AddWorktree(ctx, dir, position.Head); err != nil {
			return err
		}
	}
	if err := w.enter(ctx, dir); err != nil {
		return err
	}
	if err = w.furnish(ctx, cfg); err != nil && fresh {
		err = errors.Join(err, w.repo.RemoveWorktree(context.WithoutCancel(ctx), dir))
	}
	return err
}

// furnish makes a new working tree ready: ignored paths are copied, and its setup runs. One of a run that was killed
// meanwhile is made ready as well.
func (w *workspace) furnish(ctx context.Context, cfg *config.Config) error {
	runner := validate.Runner{Now: w.host.Now, Env: w.host.Environ, Mask: masking(maskOf(w.host, nil))}
	var err error
	if w.lacks, err = worktree.EnsureSetup(ctx, runner, settings(cfg).WorktreeSetup, w.repo.Root(), w.work); err != nil {
		return notFurnished(ctx, err)
	}
	return nil
}

// notFurnished says what to do about a working tree that could not be made ready.
func notFurnished(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &autopilot.InterruptedError{Cause: context.Cause(ctx)}
	}
	var wrong *worktree.NotReadyError
	if errors.As(err, &wrong) {
		err = console.UsageError("%v\nCorrect worktree.setup or worktree.copy in autopilot.yaml, then try again", err)
	}
	return err
}

// runData is kept out of git without touching a tracked file.
var runData = []string{".harness/", ".harness-*", "harness-*.json*", "harness-*.txt"}

// lockTree makes sure that no other run works in this working tree.
func (w *workspace) lockTree() (*storage.Lock, error) {
	lock, err := storage.LockTree(filepath.Join(w.work.GitDir(), "autopilot.lock"), w.host.Now)
	var held *storage.LockedError
	if errors.As(err, &held) {
		return nil, err // it says who holds which tree
	}
	return lock, err
}
