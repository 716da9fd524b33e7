package autopilot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/shell"
)

// closeLane removes a lane's working tree and branch. Where that fails it is said, and nothing else depends on it.
func (e *Engine) closeLane(ctx context.Context, id string) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	dir := filepath.Join(e.lanesDir(), id)
	err := e.Repo.Worktrees.RemoveBranch(ctx, dir, e.laneBranch(id), e.ref("lane/"+id+"/head"))
	if err == nil {
		err = e.facts().AddBranch(ctx, e.laneBranch(id), "")
	}
	if err != nil {
		e.Journal.Note("warning", fmt.Sprintf("The working tree of %s could not be removed: %v. It is not needed any more: rm -r %s", id, err, shell.Quote(dir)))
		return
	}
	_ = os.Remove(e.lanesDir()) // only when it is empty
	_ = os.Remove(filepath.Dir(e.lanesDir()))
}

// laneID is what the folder and the branch of a lane are called.
var laneID = lazyregexp.New(`^task-\d{3,}$`)

// sweep removes the lanes that no task has any more: a stop came between, or a human sent the phase back. What is in
// them is kept under refs.
func (e *Engine) sweep(ctx context.Context) error {
	if err := errors.Join(e.sweepClean(ctx), e.facts().Drop(ctx)); err != nil {
		return err
	}
	names, err := foldersIn(e.lanesDir())
	if err != nil {
		return err
	}
	branches, err := e.Repo.Refs.Branches(ctx, e.laneBranch("task-"))
	if err != nil {
		return err
	}
	for _, branch := range branches {
		names = append(names, strings.TrimPrefix(branch, e.laneBranch("")))
	}
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if t, _ := e.Journal.State().Task(id); t.Lane != nil {
			e.lanes.used = true // of an earlier run: once EXECUTE is left, whatever the cause, they are to go
			continue
		}
		if !laneID.MatchString(id) {
			continue
		}
		repo, err := e.Repo.Worktrees.At(ctx, filepath.Join(e.lanesDir(), id))
		if err == nil && repo != nil {
			err = e.keepLane(ctx, repo, id)
		}
		if err != nil {
			return err
		}
		e.closeLane(ctx, id)
	}
	return nil
}

// foldersIn lists the folders in a folder, which need not exist.
func foldersIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, err
}
