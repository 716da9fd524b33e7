package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// notes are what is known of the time before tasks, in one working tree.
type notes struct {
	progress
	repo   *git.Repo
	alone  bool    // the loop is the only worker
	byHand bool    // a person claims the task, or ends it
	last   *before // that the user's files were saved for
	now    func() time.Time
	known  *sync.Map // as JSON by ref: what this process wrote
}

// before is what the working tree was when a task was claimed. It is kept as a snapshot, one for each task and working
// tree, so that a later run knows the user's files too.
type before struct {
	Task    string    `json:"task"`
	Base    string    `json:"base"`
	Branch  string    `json:"branch,omitempty"`  // that a run stood on
	Users   []string  `json:"users"`             // paths that were uncommitted before: the user's, never part of a task
	Saved   git.Saved `json:"saved"`             // their contents
	Begun   bool      `json:"begun,omitempty"`   // its validation began: files that come from then on are by-products
	Checked []string  `json:"checked,omitempty"` // the uncommitted work at that moment
	ByHand  bool      `json:"byHand,omitempty"`  // a person claimed it
	Stopped bool      `json:"stopped,omitempty"` // the run was called off: what comes later is the user's
	Left    []string  `json:"left,omitempty"`    // the uncommitted work at that moment
	Adopted bool      `json:"adopted,omitempty"` // another program had claimed the task
	Flight  *flight   `json:"flight,omitempty"`  // the dispatch that has no end yet
	Ended   time.Time `json:"ended,omitzero"`    // when nothing of a killed run wrote into the tree any more, once it is known
	Failing *failure  `json:"failing,omitempty"` // why the attempt is being ended
	Summary string    `json:"summary,omitempty"` // its agent's last word on it, for the commit

	Returning bool   `json:"returning,omitempty"` // the task is being given back, with no attempt spent
	Rebasing  string `json:"rebasing,omitempty"`  // the task's commit, while it is put on top of the line

	Traces workspace.Traces `json:"traces,omitzero"` // of checks while the agent was at work

	Noted  time.Time `json:"noted,omitzero"` // when this was written; zero: not known
	Origin origin    `json:"origin"`
}

// flight is a dispatch, and what it must leave as it is.
type flight struct {
	Dispatch string                 `json:"dispatch"`
	Was      workspace.RepoSnapshot `json:"was"`
}

// refOf is where work is kept that is taken out of the tree.
func refOf(parts ...string) string {
	ref := "refs/autopilot/tasks"
	for _, p := range parts {
		ref += "/" + RefPart(p)
	}
	return ref
}

// keyOf marks the commit of an attempt, so that a run that finds it knows it.
func keyOf(t taskfile.ListedTask) string {
	return fmt.Sprintf("%s/%d/%s", t.ID, t.Attempts+1, short(baseOf(t)))
}

func baseOf(t taskfile.ListedTask) string {
	if t.StartedAtCommit == nil {
		return ""
	}
	return *t.StartedAtCommit
}

// look notes where everything stands, before a task is claimed. The user's files are saved once while they stay the same.
func (n notes) look(ctx context.Context, at git.Position) (before, error) {
	status, err := n.repo.Tree.Status(ctx)
	if err != nil {
		return before{}, err
	}
	b := before{Base: at.Head, Branch: at.Branch, ByHand: n.byHand, Users: git.Paths(status.Dirt)}
	if len(b.Users) == 0 {
		return b, nil
	}
	if deleted, altered, err := n.repo.Files.Altered(n.last.Saved.All()); err == nil && len(deleted)+len(altered) == 0 && slices.Equal(b.Users, n.last.Users) {
		b.Saved = n.last.Saved
		return b, nil
	}
	if b.Saved, err = n.repo.Files.Save(ctx, refOf("user", fmt.Sprint(n.session)), "your files, before a task", b.Users); err != nil {
		return b, fmt.Errorf("saving your uncommitted files: %w", err)
	}
	for _, f := range b.Saved.LeftOut {
		n.say("info", "Too large to be saved before the task: %s", f.Path)
	}
	*n.last = b
	return b, nil
}

// remembered is what was noted before a task. Of one that another program claimed nothing was.
func (n notes) remembered(ctx context.Context, t taskfile.ListedTask) (before, bool, error) {
	b, known, err := n.read(ctx, RefPart(t.ID))
	if err != nil || !known || b.Task != t.ID || b.Base != baseOf(t) {
		return before{}, false, err // none, or of another claim
	}
	return b, true, nil
}

// change changes the note of a task; where there is none, it does nothing.
func (n notes) change(ctx context.Context, t taskfile.ListedTask, change func(*before)) error {
	b, known, err := n.remembered(ctx, t)
	if err != nil || !known {
		return err
	}
	change(&b)
	return n.write(ctx, b)
}

func (n notes) forget(ctx context.Context, id string) error { return n.remove(ctx, RefPart(id)) }

// work lists what is uncommitted and the task's own. Where nothing was noted before it, that is what changed since the
// task was claimed.
func (n notes) work(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	b, known, err := n.remembered(ctx, t)
	if err != nil {
		return nil, err
	}
	if !known && !n.alone && !n.byHand {
		return nil, nil // it was worked on in another working tree
	}
	status, err := n.repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	claimed := t.ClaimedAt
	if claimed == nil && !known && baseOf(t) != "" { // a program that does not say when: it was not before its base
		if base, err := n.repo.History.Describe(ctx, baseOf(t)); err == nil {
			claimed = &base.Made
		}
	}
	traces, err := n.traces(ctx, b)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(status.Dirt, func(c git.Change) bool {
		byProduct := c.Untracked && slices.Contains(traces, c.Path) || b.Begun && c.Untracked && !slices.Contains(b.Checked, c.Path)
		return byProduct || slices.Contains(b.Users, c.Path) || !known && claimed != nil && n.older(c.Path, *claimed)
	}), nil
}

// older says whether a file was last written before a time; of one that is gone nobody knows.
func (n notes) older(path string, than time.Time) bool {
	info, err := os.Lstat(filepath.Join(n.repo.Root(), filepath.FromSlash(path)))
	return err == nil && info.ModTime().Before(than)
}

// checking notes the work whose validation is about to begin; none as long as an agent is still at it.
func (n notes) checking(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	b, known, err := n.remembered(ctx, t)
	if err != nil {
		return err
	}
	b.Begun, b.Checked = true, git.Paths(work)
	if !known {
		status, err := n.repo.Tree.Status(ctx)
		if err != nil {
			return err
		}
		b.Task, b.Base, b.Adopted = t.ID, baseOf(t), true
		b.Users = slices.DeleteFunc(git.Paths(status.Dirt), func(p string) bool { return slices.Contains(b.Checked, p) })
	}
	if n.byHand {
		if err := errors.Join(b.Traces.End(ctx, n.repo), b.Traces.Begin(ctx, n.repo)); err != nil {
			return err
		}
	}
	return n.write(ctx, b)
}

// refused lets a person go on after a validation. What that left behind stays no part of the task, what comes now is.
func (n notes) refused(ctx context.Context, t taskfile.ListedTask) error {
	b, known, err := n.remembered(ctx, t)
	if err != nil || !known || !b.Begun {
		return err
	}
	if err := b.Traces.End(ctx, n.repo); err != nil {
		return err
	}
	b.Begun, b.Checked = false, nil
	return n.write(ctx, b)
}

// anew lets an agent go on after a validation. What that left behind is no more part of the task than the user's files.
func (n notes) anew(ctx context.Context, b *before) error {
	status, err := n.repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	for _, c := range status.Dirt {
		if c.Untracked && !slices.Contains(b.Checked, c.Path) && !slices.Contains(b.Users, c.Path) {
			b.Users = append(b.Users, c.Path)
		}
	}
	b.Begun, b.Checked = false, nil
	return n.write(ctx, *b)
}

// trace notes what is there before a command runs, or what it left. Where nothing is noted of the task, it does nothing.
func (n notes) trace(ctx context.Context, t taskfile.ListedTask, begins bool) error {
	b, known, err := n.remembered(ctx, t)
	if err != nil || !known {
		return err
	}
	if err := b.Traces.End(ctx, n.repo); err != nil {
		return err
	}
	if begins {
		if err := b.Traces.Begin(ctx, n.repo); err != nil {
			return err
		}
	}
	return n.write(ctx, b)
}

// traces lists what checks of unfinished work left, as they left it.
func (n notes) traces(ctx context.Context, b before) ([]string, error) {
	if err := b.Traces.End(ctx, n.repo); err != nil { // one that a kill cut off
		return nil, err
	}
	return b.Traces.Unchanged(n.repo)
}
