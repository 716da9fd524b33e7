package tasks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// sweep removes what killed runs left: the folders of their dispatches, and notes about tasks that went on elsewhere. In a
// working tree of the program's own such a task's work is kept under a ref and taken out of it, lest it be taken for that
// of the next one.
func (r recovery) sweep(ctx context.Context) error {
	out := filepath.Join(r.repo.Root(), ".harness", "out")
	left, err := fs.Glob(os.DirFS(out), dispatchPrefix+"*") // not of the whole path, which may hold [ itself
	if err != nil {
		return err
	}
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Join(out, name)))
	}
	stale, staleErr := r.stale(ctx)
	if err := errors.Join(err, staleErr); err != nil {
		return err
	}
	for _, b := range stale {
		if err := r.drop(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// stale lists what was noted before tasks that are not in progress here any more.
func (r recovery) stale(ctx context.Context) ([]before, error) {
	list, err := r.file.Read()
	if err != nil {
		return nil, err
	}
	noted, err := r.notes.all(ctx)
	if err != nil {
		return nil, err
	}
	var stale []before
	for _, part := range noted {
		b, known, err := r.notes.read(ctx, part)
		if err == nil && !known {
			err = r.notes.remove(ctx, part)
		}
		if err != nil {
			return nil, err
		}
		if !known {
			continue
		}
		here := func(t taskfile.ListedTask) bool {
			return t.ID == b.Task && baseOf(t) == b.Base && t.Status == machine.TaskRunning && (r.claims.mine(&list, t) || !list.Config.IsConcurrent())
		}
		if !slices.ContainsFunc(list.Tasks, here) {
			stale = append(stale, b)
		}
	}
	return stale, nil
}

func (r recovery) drop(ctx context.Context, b before) error {
	if r.ownTree {
		t := taskfile.ListedTask{ID: b.Task, StartedAtCommit: &b.Base}
		if _, err := r.cutOff(ctx, t); err != nil {
			return err
		}
		kept, err := r.rollback.takeBack(ctx, t)
		if err != nil {
			return err
		}
		if kept != "" {
			r.say("warning", "%s went on elsewhere while nobody was at work here. What was done is kept under %s.", b.Task, kept)
		}
	}
	return r.notes.forget(ctx, b.Task)
}
