package workspace

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
)

// Traces are the files that checks of unfinished work leave in the tree, while its agent is still at it: they are no more
// its work than those of the check at the end. It can be written as JSON, so that they are told apart after a kill, too.
type Traces struct {
	Running bool       `json:"running,omitempty"` // a check began that has no end yet
	Before  []git.File `json:"before,omitempty"`  // what was untracked then
	Left    []git.File `json:"left,omitempty"`    // what checks left, as they left it
}

// Begin is to be called before a check. What checks left before, and nobody changed since, this one may write again.
func (t *Traces) Begin(ctx context.Context, repo *git.Repo) error {
	untracked, err := Untracked(ctx, repo)
	if err != nil {
		return err
	}
	again, err := t.Unchanged(repo)
	t.Running, t.Before = true, nil
	for _, path := range untracked {
		if !slices.Contains(again, path) {
			t.Before = append(t.Before, git.File{Path: path})
		}
	}
	return err
}

// End takes up what came since. Where no check runs it changes nothing.
func (t *Traces) End(ctx context.Context, repo *git.Repo) error {
	if !t.Running {
		return nil
	}
	now, err := Untracked(ctx, repo)
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(now, func(p string) bool { return has(t.Before, p) })
	left, err := repo.Files.Look(fresh)
	if err != nil {
		return fmt.Errorf("looking at what a check left: %w", err)
	}
	kept := slices.DeleteFunc(t.Left, func(f git.File) bool { return has(left, f.Path) })
	t.Running, t.Before, t.Left = false, nil, append(kept, left...)
	return nil
}

// Unchanged lists those that are as the checks left them: what an agent changed since is its own.
func (t *Traces) Unchanged(repo *git.Repo) ([]string, error) {
	return repo.Files.Unchanged(t.Left)
}

func has(files []git.File, path string) bool {
	return slices.ContainsFunc(files, func(f git.File) bool { return f.Path == path })
}

// Untracked lists the files of a working tree that git does not track.
func Untracked(ctx context.Context, repo *git.Repo) ([]string, error) {
	status, err := repo.Tree.Status(ctx)
	return status.Untracked(), err
}
