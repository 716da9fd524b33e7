package autopilot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// lanesDir is the folder of the session's lanes. No slug has a dot, so that no working tree of a session has this name.
func (e *Engine) lanesDir() string {
	return filepath.Join(e.Harness, "worktrees", RefName(e.state().SessionSlug)+".lanes")
}

func (e *Engine) laneBranch(id string) string {
	return "autopilot/" + RefName(e.state().SessionSlug) + "." + id
}

// laneOf is where a task's lane lies.
func (e *Engine) laneOf(id string) machine.Lane {
	dir, err := filepath.Rel(filepath.Dir(e.Harness), filepath.Join(e.lanesDir(), id))
	if err != nil {
		dir = filepath.Join(e.lanesDir(), id)
	}
	return machine.Lane{Dir: filepath.ToSlash(dir), Branch: e.laneBranch(id)}
}

func (e *Engine) laneDir(l *machine.Lane) string {
	dir := filepath.FromSlash(l.Dir)
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(filepath.Dir(e.Harness), dir)
}

// openLane makes the lane's working tree, where it is not there yet, and returns an engine that works in it. Where it
// cannot be made ready a human is asked, and the engine is nil.
func (e *Engine) openLane(ctx context.Context, t machine.Task) (*Engine, error) {
	repo, err := e.laneRepo(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("making the working tree of %s: %w", t.ID, err)
	}
	lane := e.in(repo, t.ID)
	ready := filepath.Join(repo.GitDir(), "autopilot", "ready")
	if _, err := os.Stat(ready); err == nil {
		return lane, nil
	}
	if err := Furnish(ctx, e.Checks, e.Settings.Furnishing, filepath.Dir(e.Harness), repo.Root()); err != nil {
		if ctx.Err() != nil {
			return nil, nil //nolint:nilerr // the run ends, and says so
		}
		return nil, e.apply(machine.Event{
			Type: machine.GateRaised, Kind: machine.GateBlocked, Task: t.ID,
			Detail: fmt.Sprintf("The working trees of the tasks could not be made ready: %v", err),
		})
	}
	if err := os.MkdirAll(filepath.Dir(ready), 0o755); err != nil {
		return nil, err
	}
	return lane, os.WriteFile(ready, nil, 0o644)
}

func (e *Engine) laneRepo(ctx context.Context, t machine.Task) (*git.Repo, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	repo, err := e.Repo.AddBranchWorktree(ctx, e.laneDir(t.Lane), t.Lane.Branch, t.Lane.Base)
	if err != nil {
		return nil, err
	}
	return repo, repo.TakeUp(ctx)
}

// in is an engine that works on one task in another working tree of the same session.
func (e *Engine) in(repo *git.Repo, task string) *Engine {
	return &Engine{
		Store: e.Store, Records: e.Records, Memory: e.Memory, Seal: e.Seal, Repo: repo, Checks: e.Checks, Backends: e.Backends,
		Personas: e.Personas, Human: e.Human, Inbox: e.Inbox, Report: tagged{e.Report, task}, Forge: e.Forge, Roadmap: e.Roadmap, Now: e.Now,
		NewID: e.NewID, Settings: e.Settings, Spec: e.Spec, Harness: e.Harness, LockFile: e.LockFile,
		main: e, task: task, lanes: e.lanes, spec: e.spec,
	}
}

// bring takes what a lane made into the run's working tree, file by file. A file that others changed since the lane was
// made is never merged: then nothing is taken, and the task runs again. It may be done twice: what was taken before a
// stop is no conflict.
func (e *Engine) bring(ctx context.Context, step machine.Step) error {
	t, _ := e.state().Task(step.Task)
	repo, err := e.laneRepo(ctx, t)
	if err != nil {
		return err
	}
	changes, err := e.in(repo, t.ID).workOf(ctx, t, t.Lane.Base)
	if err != nil {
		return err
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.TaskBrought, Task: t.ID, Base: position.Head}
	paths := git.Paths(changes)
	if ev.Conflicts, err = e.conflicts(ctx, repo, t.Lane.Base, paths); err != nil {
		return err
	}
	if ev.Leftover, err = e.leftoverBeside(ctx, t.ID, paths); err != nil {
		return err
	}
	if len(ev.Conflicts) > 0 {
		saved, err := repo.SaveTree(ctx, e.ref("lane/"+t.ID), "work that met other work", paths)
		if err != nil {
			return err
		}
		ev.Detail = saved.Ref
		e.note("info", fmt.Sprintf("%s met changes of others in %s: it runs again on top of them. Its work is kept under %s",
			t.ID, strings.Join(firstFew(ev.Conflicts, 8), ", "), saved.Ref))
	} else if err := e.Repo.Take(repo, paths); err != nil {
		return fmt.Errorf("bringing the work of %s: %w", t.ID, err)
	} else {
		e.note("task", fmt.Sprintf("%s comes to the others: %s", t.ID, orElse(strings.Join(firstFew(paths, 8), ", "), "no files")))
	}
	if err := e.apply(ev); err != nil {
		return err
	}
	return e.closeLane(context.WithoutCancel(ctx), filepath.Base(e.laneDir(t.Lane)))
}

// conflicts lists the paths that others changed since a commit, and that are not already what the lane has.
func (e *Engine) conflicts(ctx context.Context, lane *git.Repo, base string, paths []string) ([]string, error) {
	others, err := e.Repo.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	changed := git.Paths(others)
	met := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !slices.Contains(changed, p) })
	return e.Repo.Differ(lane, met)
}

// closeLane removes a lane's working tree and branch.
func (e *Engine) closeLane(ctx context.Context, id string) error {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	if err := e.Repo.RemoveBranchWorktree(ctx, filepath.Join(e.lanesDir(), id), e.laneBranch(id)); err != nil {
		return err
	}
	_ = os.Remove(e.lanesDir()) // only when it is empty
	_ = os.Remove(filepath.Dir(e.lanesDir()))
	return nil
}

// sweep removes the lanes that no task has any more: a stop came between, or a human sent the phase back. What is in
// them is kept under refs.
func (e *Engine) sweep(ctx context.Context) error {
	names, err := git.FoldersIn(e.lanesDir())
	if err != nil {
		return err
	}
	branches, err := e.Repo.Branches(ctx, e.laneBranch("task-"))
	if err != nil {
		return err
	}
	for _, branch := range branches {
		names = append(names, strings.TrimPrefix(branch, e.laneBranch("")))
	}
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if t, _ := e.state().Task(id); t.Lane != nil {
			continue
		}
		if repo, err := git.Find(ctx, filepath.Join(e.lanesDir(), id)); err == nil && filepath.Base(repo.Root()) == id {
			if _, err := repo.SaveTree(ctx, e.ref("lane/"+id), "what was in the lane of "+id, nil); err != nil {
				return fmt.Errorf("keeping what is in the lane of %s: %w", id, err)
			}
		}
		if err := e.closeLane(ctx, id); err != nil {
			return errors.Join(fmt.Errorf("removing the lane of %s", id), err)
		}
	}
	return nil
}
