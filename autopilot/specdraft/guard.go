package specdraft

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// draftStand is the repository before a dispatch that may write one file of it.
type draftStand struct {
	workspace.RepoSnapshot
	Dispatch string   `json:"dispatch"`
	Users    []string `json:"users"` // uncommitted paths: the user's
	Nested   []string `json:"nested,omitempty"`

	Ended time.Time `json:"-"` // of a killed run's planner
}

func (d *Draft) snapshots() workspace.Snapshots {
	return workspace.Snapshots{Repo: d.Repo, Refs: d.draftRef("snap", "")}
}

// watch saves the user's uncommitted files, and keeps what the repository is, so that a run after a kill can still restore it: the
// draft's record names the snapshot.
func (d *Draft) watch(ctx context.Context) (draftStand, error) {
	s := draftStand{Dispatch: d.record.Dispatch}
	status, err := d.Repo.Tree.Status(ctx)
	if err != nil {
		return s, err
	}
	s.Nested = status.Nested
	var saved git.Saved
	if s.Users = d.usersOf(status.Dirt); len(s.Users) > 0 {
		if saved, err = d.Repo.Files.Save(ctx, d.draftRef("user", fmt.Sprint(d.record.Attempt)), "your files, before a spec was drafted", s.Users); err != nil {
			return s, err
		}
	}
	for _, f := range saved.LeftOut {
		d.say("info", "Too large to be saved before the dispatch: %s", f.Path)
	}
	if s.RepoSnapshot, err = d.guarding(s.Dispatch).Capture(ctx, saved); err != nil {
		return s, err
	}
	if d.record.Snapshot, err = d.snapshots().Write(ctx, "before", &s, &s.RepoSnapshot); err != nil {
		return s, err
	}
	return s, d.save()
}

func (d *Draft) guarding(id string) workspace.RepoGuard {
	return workspace.RepoGuard{Repo: d.Repo, Dispatch: id, Kept: d.draftRef(id, "undone"), Who: "the planner", Control: workspace.ControlFiles(d.Repo.Root(), d.harness()), Mask: d.Mask.Replace}
}

// takeUp puts right what the planner of a killed run did besides its spec.
func (d *Draft) takeUp(ctx context.Context) error {
	if d.record.Snapshot == "" {
		return nil
	}
	var s draftStand
	if err := d.snapshots().Read(ctx, d.record.Snapshot, &s, &s.RepoSnapshot); err != nil {
		return err
	}
	s.MovedTo(d.Repo.CommonDir())
	position, err := d.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if position.Branch != s.Guard.Branch { // most likely it was the user, who is not to be sent back
		d.say("warning", "Another branch is checked out than when the draft was cut off: what the planner did beside its spec was not looked for.")
		return d.dropSnapshot(ctx)
	}
	s.Ended = d.KilledAt
	if err := d.sparing(ctx, &s); err != nil {
		return err
	}
	_, err = d.putRight(ctx, s)
	return err
}

// dropSnapshot drops the snapshot, once the dispatch has ended.
func (d *Draft) dropSnapshot(ctx context.Context) error {
	d.record.Snapshot = ""
	return errors.Join(d.save(), d.Repo.Refs.Delete(ctx, d.snapshots().Refs))
}

// sparing leaves to the user what was written since the planner of a killed run ended.
func (d *Draft) sparing(ctx context.Context, s *draftStand) error {
	if s.Ended.IsZero() {
		return nil
	}
	status, err := d.Repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	for _, p := range d.usersOf(status.Dirt) {
		if plainfile.ChangedAfter(workspace.InTree(d.Repo.Root(), p), s.Ended) {
			s.Users = append(s.Users, p)
		}
	}
	return nil
}

// putRight takes back everything that the planner did besides the spec, and says so. What it made is kept under refs.
func (d *Draft) putRight(ctx context.Context, s draftStand) (told []string, err error) {
	tell := func(text string) {
		told = append(told, text)
		d.say("finding", "%s", text)
	}
	links, err := workspace.RemoveLinks([]*git.Repo{d.Repo})
	for _, path := range links {
		tell("the planner put a link in the place of " + plainfile.Rel(d.Repo.Root(), path) + "; it was removed: autopilot writes there")
	}
	if err != nil {
		return told, err
	}
	g := d.guarding(s.Dispatch)
	g.Ended = s.Ended
	found, err := g.Restore(ctx, s.RepoSnapshot)
	for _, f := range found {
		tell(workspace.OneLine(f))
	}
	if err == nil {
		err = d.putFilesBack(ctx, s, tell)
	}
	if err == nil {
		err = d.dropSnapshot(ctx)
	}
	return told, err
}

// putFilesBack takes back what was changed in the working tree, and was nobody's change before. What is too large to
// be saved is moved aside.
func (d *Draft) putFilesBack(ctx context.Context, s draftStand, tell func(string)) error {
	status, err := d.Repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	changed, fresh := d.foreign(status.Dirt, s.Users)
	all := slices.Concat(changed, fresh)
	slices.Sort(all)
	if len(all) > 0 {
		saved, err := d.Repo.Files.Save(ctx, d.draftRef(s.Dispatch, "files"), "what a planner wrote beside its spec", all)
		if err != nil {
			return err
		}
		for _, f := range saved.LeftOut {
			aside, err := d.Repo.Files.MoveAside(f.Path)
			if err != nil {
				return fmt.Errorf("moving aside what is too large to be saved: %w", err)
			}
			tell("the planner wrote beside its spec; it is too large to be saved, and was moved aside: " + aside)
		}
		if err := d.Repo.Files.TakeAway(slices.DeleteFunc(slices.Clone(saved.Files), func(f git.File) bool { return !slices.Contains(fresh, f.Path) })); err != nil {
			return err
		}
		if _, err := d.Repo.Files.Reset(ctx, s.Guard.Head, changed, ""); err != nil {
			return err
		}
		few := strings.Join(words.FirstFew(all, 8), ", ")
		if saved.Ref != "" {
			tell("the planner wrote beside its spec; that was taken back: " + few + ". It is kept under " + saved.Ref)
		} else if len(saved.Absent) > 0 {
			tell("the planner deleted files; they were put back: " + few)
		}
	}
	status, err = d.Repo.Tree.Status(ctx)
	known := func(dir string) bool { return slices.Contains(s.Nested, dir) }
	if left := slices.DeleteFunc(status.Nested, known); len(left) > 0 {
		tell("the planner left a repository inside this one, and it was not taken away: " + strings.Join(left, ", "))
	}
	return err
}

// foreign parts what is uncommitted, and neither the user's nor the draft, in files that git tracks and new ones.
func (d *Draft) foreign(dirt []git.Change, users []string) (changed, fresh []string) {
	for _, c := range dirt {
		switch {
		case c.Path == d.file || slices.Contains(users, c.Path):
		case c.Untracked:
			fresh = append(fresh, c.Path)
		default:
			changed = append(changed, git.Paths([]git.Change{c})...)
		}
	}
	return changed, fresh
}
