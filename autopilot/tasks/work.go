package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
	"autopilot/sessions/taskfile"
)

// before is what the working tree was when a task was claimed. It lies in the git folder, one for each task and working
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

	Returning bool   `json:"returning,omitempty"` // the task is being given back, with no attempt spent
	Rebasing  string `json:"rebasing,omitempty"`  // the task's commit, while it is put on top of the line

	Traces workspace.Traces `json:"traces,omitzero"` // of checks while the agent was at work
}

// flight is a dispatch, and what it must leave as it is.
type flight struct {
	Dispatch string                 `json:"dispatch"`
	Was      workspace.RepoSnapshot `json:"was"`
}

func (l *Loop) beforeFile(id string) string {
	return filepath.Join(l.Repo.GitDir(), "autopilot", "tasks", RefPart(id)+".json")
}

// look notes where everything stands, before a task is claimed. The user's files are saved once while they stay the same.
func (l *Loop) look(ctx context.Context, at git.Position) (before, error) {
	status, err := l.Repo.Tree.Status(ctx)
	if err != nil {
		return before{}, err
	}
	b := before{Base: at.Head, Branch: at.Branch, ByHand: l.byHand, Users: git.Paths(status.Dirt)}
	if len(b.Users) == 0 {
		return b, nil
	}
	if deleted, altered, err := l.Repo.Files.Altered(l.last.Saved.All()); err == nil && len(deleted)+len(altered) == 0 && slices.Equal(b.Users, l.last.Users) {
		b.Saved = l.last.Saved
		return b, nil
	}
	if b.Saved, err = l.Repo.Files.Save(ctx, l.ref("user", fmt.Sprint(l.session)), "your files, before a task", b.Users); err != nil {
		return b, fmt.Errorf("saving your uncommitted files: %w", err)
	}
	for _, f := range b.Saved.LeftOut {
		l.say("info", "Too large to be saved before the task: %s", f.Path)
	}
	l.last = b
	return b, nil
}

func (l *Loop) write(b before) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return plainfile.Replace(l.beforeFile(b.Task), data, 0o600)
}

// remembered is what was noted before a task. Of one that another program claimed nothing was.
func (l *Loop) remembered(t taskfile.ListedTask) (before, bool, error) {
	data, err := os.ReadFile(l.beforeFile(t.ID))
	if errors.Is(err, fs.ErrNotExist) {
		return before{}, false, nil
	}
	var b before
	if err != nil {
		return b, false, err
	}
	if json.Unmarshal(data, &b) != nil || b.Task != t.ID || b.Base != baseOf(t) {
		return before{}, false, nil //nolint:nilerr // a kill cut it off, or it is of another claim
	}
	if b.Flight != nil {
		b.Flight.Was.MovedTo(l.Repo.CommonDir())
	}
	return b, true, nil
}

func (l *Loop) forget(id string) error {
	if err := os.Remove(l.beforeFile(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ref is where work is kept that is taken out of the tree.
func (l *Loop) ref(parts ...string) string {
	ref := "refs/autopilot/tasks"
	for _, p := range parts {
		ref += "/" + RefPart(p)
	}
	return ref
}

// key marks the commit of an attempt, so that a run that finds it knows it.
func (l *Loop) key(t taskfile.ListedTask) string {
	return fmt.Sprintf("%s/%d/%s", t.ID, t.Attempts+1, short(baseOf(t)))
}

func baseOf(t taskfile.ListedTask) string {
	if t.StartedAtCommit == nil {
		return ""
	}
	return *t.StartedAtCommit
}

// work lists what is uncommitted and the task's own. Where nothing was noted before it, that is what changed since the
// task was claimed.
func (l *Loop) work(ctx context.Context, t taskfile.ListedTask) ([]git.Change, error) {
	b, known, err := l.remembered(t)
	if err != nil {
		return nil, err
	}
	if !known && l.Line != nil && !l.byHand {
		return nil, nil // it was worked on in another working tree
	}
	status, err := l.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, err
	}
	claimed := t.ClaimedAt
	if claimed == nil && !known && baseOf(t) != "" { // a program that does not say when: it was not before its base
		if made, err := l.Repo.History.Made(ctx, baseOf(t)); err == nil {
			claimed = &made
		}
	}
	traces, err := l.traces(ctx, b)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(status.Dirt, func(c git.Change) bool {
		byProduct := c.Untracked && slices.Contains(traces, c.Path) || b.Begun && c.Untracked && !slices.Contains(b.Checked, c.Path)
		return byProduct || slices.Contains(b.Users, c.Path) || !known && claimed != nil && l.older(c.Path, *claimed)
	}), nil
}

// older says whether a file was last written before a time; of one that is gone nobody knows.
func (l *Loop) older(path string, than time.Time) bool {
	info, err := os.Lstat(filepath.Join(l.Repo.Root(), filepath.FromSlash(path)))
	return err == nil && info.ModTime().Before(than)
}

// checking notes the work whose validation is about to begin; none as long as an agent is still at it.
func (l *Loop) checking(ctx context.Context, t taskfile.ListedTask, work []git.Change) error {
	b, known, err := l.remembered(t)
	if err != nil {
		return err
	}
	b.Begun, b.Checked = true, git.Paths(work)
	if !known {
		status, err := l.Repo.Tree.Status(ctx)
		if err != nil {
			return err
		}
		b.Task, b.Base, b.Adopted = t.ID, baseOf(t), true
		b.Users = slices.DeleteFunc(git.Paths(status.Dirt), func(p string) bool { return slices.Contains(b.Checked, p) })
	}
	if l.byHand {
		if err := errors.Join(b.Traces.End(ctx, l.Repo), b.Traces.Begin(ctx, l.Repo)); err != nil {
			return err
		}
	}
	return l.write(b)
}

// refused lets a person go on after a validation. What that left behind stays no part of the task, what comes now is.
func (l *Loop) refused(ctx context.Context, t taskfile.ListedTask) error {
	b, known, err := l.remembered(t)
	if err != nil || !known || !b.Begun {
		return err
	}
	if err := b.Traces.End(ctx, l.Repo); err != nil {
		return err
	}
	b.Begun, b.Checked = false, nil
	return l.write(b)
}

// anew lets an agent go on after a validation. What that left behind is no more part of the task than the user's files.
func (l *Loop) anew(ctx context.Context, b *before) error {
	status, err := l.Repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	for _, c := range status.Dirt {
		if c.Untracked && !slices.Contains(b.Checked, c.Path) && !slices.Contains(b.Users, c.Path) {
			b.Users = append(b.Users, c.Path)
		}
	}
	b.Begun, b.Checked = false, nil
	return l.write(*b)
}
