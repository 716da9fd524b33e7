package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"autopilot/autopilot"
	"autopilot/autopilot/branches"
	"autopilot/autopilot/git"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions/storage"
)

// OpenTree opens the session's own working tree, if it has one.
func (w *Workspace) OpenTree(ctx context.Context, s machine.State) error {
	if w.WorkTree = s.WorkTree; w.WorkTree == "" {
		return nil
	}
	dir := filepath.Join(w.Repo.Root(), filepath.FromSlash(w.WorkTree))
	switch _, err := os.Stat(dir); {
	case errors.Is(err, os.ErrNotExist):
		return console.UsageError("the session's working tree %s is gone. Bring it back: git worktree prune && %sgit worktree add %s %s", w.WorkTree, w.bringsBack(ctx, s), shell.QuotePath(w.WorkTree), shell.QuoteWord(s.Branch))
	case err != nil:
		return err
	}
	return w.enter(ctx, dir)
}

// bringsBack is the command that makes a session's branch anew, where that is gone too.
func (w *Workspace) bringsBack(ctx context.Context, s machine.State) string {
	back := branches.BringBack(ctx, w.Repo, s)
	if back == "" || w.Repo.History.Exists(ctx, "refs/heads/"+s.Branch) {
		return ""
	}
	return back + " && "
}

// enter has the session work in a working tree that is there. The repository may have been moved since it was made.
func (w *Workspace) enter(ctx context.Context, dir string) error {
	err := w.Repo.Worktrees.Relink(dir)
	if err != nil {
		return err
	}
	w.Work, err = RepoAt(ctx, dir, git.Open)
	return err
}

// MakeTree makes a working tree of HEAD for a new session, once its spec is known to be good.
func (w *Workspace) MakeTree(ctx context.Context, cfg *config.Config) error {
	if _, _, _, err := autopilot.ReadNewSpec(w.Repo.Root(), w.Spec); err != nil {
		return err
	}
	w.WorkTree = ".harness/" + autopilot.WorktreesDir + "/" + branches.RefName(w.Slug)
	dir := filepath.Join(w.Repo.Root(), filepath.FromSlash(w.WorkTree))
	_, err := os.Stat(dir)
	fresh := errors.Is(err, os.ErrNotExist)
	if err != nil && !fresh {
		return err
	}
	if fresh {
		position, err := w.Repo.Position(ctx)
		if err != nil {
			return err
		}
		if err := w.Repo.Exclude(ctx, RunData...); err != nil {
			return err
		}
		if err := w.Repo.Worktrees.Add(ctx, dir, position.Head); err != nil {
			return err
		}
	}
	if err := w.enter(ctx, dir); err != nil {
		return err
	}
	if err = w.furnish(ctx, cfg); err != nil && fresh {
		err = errors.Join(err, w.Repo.Worktrees.Remove(context.WithoutCancel(ctx), dir))
	}
	return err
}

// furnish makes a new working tree ready: ignored paths are copied, and its setup runs. One of a run that was killed
// meanwhile is made ready as well.
func (w *Workspace) furnish(ctx context.Context, cfg *config.Config) error {
	w.Repo.Settings.Keep(cfg.Git.Keep)
	var put []worktree.Lack
	tools := workspace.Tools{Repo: w.Repo, Tell: func(text string) { put = append(put, worktree.Lack{Text: text}) }}
	runner := validate.Runner{Now: w.Host.Now, Env: w.Host.Environ, Mask: Masking(MaskOf(w.Host, nil)), Around: tools.Around}
	lacks, err := worktree.EnsureSetup(ctx, runner, Settings(cfg).WorktreeSetup, w.Repo.Root(), w.Work)
	if w.Lacks = append(lacks, put...); err != nil {
		return NotFurnished(ctx, err)
	}
	return nil
}

// NotFurnished says what to do about a working tree that could not be made ready.
func NotFurnished(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	}
	if _, ok := errors.AsType[*worktree.NotReadyError](err); ok {
		err = console.UsageError("%v\nCorrect worktree.setup or worktree.copy in autopilot.yaml, then try again", err)
	}
	return err
}

// RunData is kept out of git without touching a tracked file.
var RunData = []string{".harness/", ".harness-*", "harness-*.json*", "harness-*.txt"}

// LockTree makes sure that no other run works in this working tree.
func LockTree(repo *git.Repo, h *console.Host) (*storage.Lock, error) {
	return TakeLock(func() (*storage.Lock, error) {
		return storage.LockTree(filepath.Join(repo.GitDir(), "autopilot.lock"), h.Now)
	})
}
