package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/machine"
)

// Tree is a working tree of a session: the run's own, or a task's lane.
type Tree struct {
	Task   string // "" is the run's own
	Dir    string // absolute
	Branch string // that is checked out
	At     string // the commit that it is at
	Work   string // the commit that has it as a step left it; "": nothing was done in it yet

	LeftOut []string // the user's own files in it, which stay where they are
}

// name is what the refs of a tree's states are called by.
func (t Tree) name() string {
	if t.Task == "" {
		return "run"
	}
	return t.Task
}

// LaneOf is the working tree of a task's lane, in the clone at a root.
func LaneOf(root string, t machine.Task, work string) Tree {
	return Tree{Task: t.ID, Dir: filepath.Join(root, filepath.FromSlash(t.Lane.Dir)), Branch: t.Lane.Branch, At: t.Lane.Base, Work: work}
}

// Restore puts a working tree as a step left it, whatever is in the clone. A lane in which nothing was done yet is left to the step.
// What git ignores stays as it is. What is staged is not carried, nor are repositories inside of the tree: nothing of them is restored.
func (s *Session) Restore(ctx context.Context, t Tree) error {
	g := s.clone.git
	if t.Task != "" {
		if t.Work == "" {
			return s.Drop(ctx, t)
		}
		if err := s.addLane(ctx, t); err != nil {
			return err
		}
		g.dir = t.Dir
	}
	steps := [][]string{{"checkout", "--quiet", "--force", "--ignore-other-worktrees", "-B", t.Branch, t.At}}
	if t.Work != "" {
		tree, err := s.WorkOn(ctx, t)
		if err != nil {
			return fmt.Errorf("restoring the working tree: %w", err)
		}
		steps = append(steps, []string{"read-tree", "--reset", "-u", tree})
	}
	// What is ignored may depend on a .gitignore of the work: nothing is cleaned before that is there, nor taken from the index.
	steps = append(steps, []string{"clean", "--quiet", "-ffd", "--exclude=/.harness/"}, []string{"reset", "--quiet"})
	for _, args := range steps {
		if _, err := g.run(ctx, args...); err != nil {
			return fmt.Errorf("restoring the working tree: %w", err)
		}
	}
	return nil
}

// WorkOn is the tree of the commit that a working tree is at, with what was changed in it, also where the branch moved on since.
func (s *Session) WorkOn(ctx context.Context, t Tree) (string, error) {
	g := s.clone.git
	base, err := g.run(ctx, "merge-base", t.At, t.Work)
	if git, is := errors.AsType[*Error](err); is && git.Code == 1 { // an agent began a history of its own
		base, err = t.At, nil
	}
	if err != nil {
		return "", err
	}
	changed, err := g.differing(ctx, base, t.Work)
	if err != nil {
		return "", err
	}
	var files []entry
	for _, e := range changed {
		switch {
		case e.mode != repository:
			files = append(files, e)
		case e.was != repository: // one that came: nobody but this machine has what is in it
			files = append(files, entry{mode: gone, blob: e.blob, path: e.path})
		}
	}
	return g.overlaid(ctx, s.clone.index("merged"), t.At, files)
}

// addLane makes the working tree of a lane, unless there is one that git knows.
func (s *Session) addLane(ctx context.Context, t Tree) error {
	const of = "--git-common-dir"
	ours, err := s.clone.git.run(ctx, "rev-parse", "--path-format=absolute", of)
	if err != nil {
		return err
	}
	lane := git{t.Dir, s.clone.git.env}
	if its, err := lane.run(ctx, "rev-parse", "--path-format=absolute", of); err == nil && its == ours {
		return nil
	}
	if err := s.Drop(ctx, t); err != nil {
		return err
	}
	_, err = s.clone.git.run(ctx, "worktree", "add", "--quiet", "--no-checkout", "--detach", t.Dir, t.At)
	return err
}

// Drop removes the working tree of a lane, and its branch. Its own entry is all that git forgets: prune would also forget a tree on a disk
// that is not there now.
func (s *Session) Drop(ctx context.Context, t Tree) error {
	err := os.RemoveAll(t.Dir)
	_, _ = s.clone.git.run(ctx, "worktree", "remove", "--force", "--force", t.Dir) // fails if git has no entry of it
	_, failed := s.clone.git.run(ctx, "update-ref", "-d", "refs/heads/"+t.Branch)
	return errors.Join(err, failed)
}

// Keep makes a commit of a working tree as it is, without a word to git's index or branches. The same tree gives the same commit.
// What git ignores is left out, and what it cannot add: a repository inside of the tree, a file that cannot be read.
func (s *Session) Keep(ctx context.Context, t Tree) (string, error) {
	g, index := git{t.Dir, s.clone.git.env}, s.clone.index("work-"+t.name())
	// --reset keeps what the index knows of files that did not change: they are not read again.
	if _, err := g.call(ctx, call{args: []string{"read-tree", "--reset", "HEAD"}, index: index}); err != nil {
		return "", err
	}
	args := []string{"add", "--all", "--ignore-errors", "--", "."}
	for _, path := range t.LeftOut {
		args = append(args, ":(top,exclude,literal)"+path)
	}
	if _, err := g.call(ctx, call{args: args, index: index}); err != nil && !someLeft(err) {
		return "", fmt.Errorf("keeping the working tree: %w", err)
	}
	tree, err := g.tree(ctx, index)
	if err != nil {
		return "", err
	}
	return commit(ctx, g, tree, "the working tree of "+t.name(), "HEAD")
}

// Differs says whether anything in a working tree that was kept differs from the commit that it was at.
func (s *Session) Differs(ctx context.Context, work string) bool {
	_, err := s.clone.git.run(ctx, "diff-tree", "--quiet", work+"^", work)
	return err != nil
}

// commit makes a commit that depends on nothing but what it holds. "" is no parent.
func commit(ctx context.Context, g git, tree, message, parent string) (string, error) {
	g.env = append(append([]string{}, g.env...), "GIT_AUTHOR_NAME=autopilot", "GIT_AUTHOR_EMAIL=autopilot@localhost", "GIT_AUTHOR_DATE=946684800 +0000",
		"GIT_COMMITTER_NAME=autopilot", "GIT_COMMITTER_EMAIL=autopilot@localhost", "GIT_COMMITTER_DATE=946684800 +0000")
	args := []string{"commit-tree", "--no-gpg-sign", tree, "-m", message}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	return g.run(ctx, args...)
}
