package autopilot

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
)

// draftStand is the repository before a dispatch that may write one file of it.
type draftStand struct {
	users   []string // uncommitted paths: the user's
	saved   git.Saved
	guard   git.Guard
	control map[string][]byte
	nested  []string
}

// watch saves the user's uncommitted files, and remembers where everything stands.
func (d *SpecDraft) watch(ctx context.Context) (draftStand, error) {
	var s draftStand
	dirt, err := d.Repo.Dirt(ctx)
	if err != nil {
		return s, err
	}
	if s.users = d.usersOf(dirt); len(s.users) > 0 {
		if s.saved, err = d.Repo.SaveTree(ctx, d.draftRef("user", fmt.Sprint(d.record.Attempt)), "your files, before a spec was drafted", s.users); err != nil {
			return s, err
		}
	}
	for _, f := range s.saved.LeftOut {
		d.say("info", "Too large to be saved before the dispatch: %s", f.Path)
	}
	if s.nested, err = d.Repo.Nested(ctx); err != nil {
		return s, err
	}
	if s.control, err = d.control(); err != nil {
		return s, err
	}
	s.guard, err = d.Repo.Watch(ctx, s.saved.All())
	return s, err
}

// control reads the files that decide how the program works, and that no run writes meanwhile.
func (d *SpecDraft) control() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := errors.Join(remember(files, filepath.Join(d.Repo.Root(), projectFile)), remember(files, filepath.Join(d.harness(), "init.sh")))
	for _, dir := range []string{"validate.d", "personas"} {
		err = errors.Join(err, rememberAll(files, filepath.Join(d.harness(), dir), nil))
	}
	return files, err
}

// putRight takes back everything that the planner did besides the spec, and says so. What it made is kept under refs.
func (d *SpecDraft) putRight(ctx context.Context, s draftStand, id string) (told []string, err error) {
	tell := func(format string, args ...any) {
		told = append(told, fmt.Sprintf(format, args...))
		d.say("finding", "%s", told[len(told)-1])
	}
	present, err := d.control()
	if err != nil {
		return told, err
	}
	changed, err := putControlBack(s.control, present)
	for _, file := range changed {
		tell("the planner changed a file that decides how the work is run; it was put back: %s", d.rel(file))
	}
	if err != nil {
		return told, err
	}
	if err := d.putGitBack(ctx, s, id, tell); err != nil {
		return told, err
	}
	return told, d.putFilesBack(ctx, s, id, tell)
}

// putGitBack puts branch, HEAD, index and refs back, and the user's files that are gone.
func (d *SpecDraft) putGitBack(ctx context.Context, s draftStand, id string, tell func(string, ...any)) error {
	deviation, err := d.Repo.Compare(ctx, s.guard)
	if err != nil || deviation.None() {
		return err
	}
	kept := d.draftRef(id, "undone")
	if deviation.HeadAhead || deviation.IndexChanged || !deviation.Mild() {
		if err := d.Repo.PutBack(ctx, s.guard, deviation, kept); err != nil {
			return err
		}
	}
	if deviation.HeadAhead {
		tell("the planner made commits of its own; they were taken back, and are kept under %s", kept)
	} else if deviation.IndexChanged {
		tell("the planner staged or unstaged files; the index was put back")
	}
	for _, what := range deviation.Other {
		tell("the planner %s; it was put back, and what was there is kept under %s", what, kept)
	}
	saved := func(path string) bool {
		return slices.ContainsFunc(s.saved.Files, func(f git.File) bool { return f.Path == path })
	}
	for _, path := range deviation.UserDeleted {
		if !saved(path) {
			tell("a file of yours is gone, and was too large to be saved: %s", path)
		} else if err := d.Repo.RestorePaths(ctx, s.saved.Ref, []string{path}); err != nil {
			return err
		} else {
			tell("the planner deleted a file of yours; it was restored: %s", path)
		}
	}
	for _, path := range deviation.UserAltered { // it may be the user's own edit, and stays
		before := ""
		if saved(path) {
			before = "; the version from before: " + bringBack(s.saved.Ref, []string{path})
		}
		tell("a file with your uncommitted changes was altered: %s%s", path, before)
	}
	return nil
}

// putFilesBack takes back what was changed in the working tree, and was nobody's change before. What is too large to
// be saved is moved aside.
func (d *SpecDraft) putFilesBack(ctx context.Context, s draftStand, id string, tell func(string, ...any)) error {
	dirt, err := d.Repo.Dirt(ctx)
	if err != nil {
		return err
	}
	changed, fresh := d.foreign(dirt, s.users)
	all := slices.Concat(changed, fresh)
	slices.Sort(all)
	if len(all) > 0 {
		saved, err := d.Repo.SaveTree(ctx, d.draftRef(id, "files"), "what a planner wrote beside its spec", all)
		if err != nil {
			return err
		}
		for _, f := range saved.LeftOut {
			aside, err := d.Repo.MoveAside(f.Path)
			if err != nil {
				return fmt.Errorf("moving aside what is too large to be saved: %w", err)
			}
			tell("the planner wrote beside its spec; it is too large to be saved, and was moved aside: %s", aside)
		}
		if err := d.Repo.TakeAway(slices.DeleteFunc(slices.Clone(saved.Files), func(f git.File) bool { return !slices.Contains(fresh, f.Path) })); err != nil {
			return err
		}
		if _, err := d.Repo.ResetTo(ctx, s.guard.Head, changed, ""); err != nil {
			return err
		}
		if saved.Ref != "" {
			tell("the planner wrote beside its spec; that was taken back: %s. It is kept under %s", strings.Join(firstFew(all, 8), ", "), saved.Ref)
		} else if len(saved.Absent) > 0 {
			tell("the planner deleted files; they were put back: %s", strings.Join(firstFew(all, 8), ", "))
		}
	}
	nested, err := d.Repo.Nested(ctx)
	if left := newIn(nested, s.nested); len(left) > 0 {
		tell("the planner left a repository inside this one, and it was not taken away: %s", strings.Join(left, ", "))
	}
	return err
}

// foreign parts what is uncommitted, and neither the user's nor the draft, in files that git tracks and new ones.
func (d *SpecDraft) foreign(dirt []git.Change, users []string) (changed, fresh []string) {
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

// rel is a path of the repository as people write it.
func (d *SpecDraft) rel(file string) string {
	if rel, err := filepath.Rel(d.Repo.Root(), file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}
