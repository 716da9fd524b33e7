package autopilot

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/worktree"
)

// openLane makes the lane's working tree, where it is not there yet, and returns an engine that works in it. Where it
// cannot be made ready a human is asked, and the engine is nil; so it is where work was to be validated that is gone.
func (e *Engine) openLane(ctx context.Context, t machine.Task) (*Engine, error) {
	lane, err := e.laneAt(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("making the working tree of %s: %w", t.ID, err)
	}
	if lane.last.Fresh && t.Lane.Step == machine.StepValidate {
		return nil, e.startedOver(t)
	}
	if worktree.IsSetUp(lane.Repo) {
		return lane, nil
	}
	var wrong *worktree.NotReadyError
	lacks, err := worktree.EnsureSetup(ctx, e.Checks, e.Settings.WorktreeSetup, filepath.Dir(e.Harness), lane.Repo)
	switch {
	case ctx.Err() != nil:
		return nil, nil //nolint:nilerr // the run ends, and says so
	case errors.As(err, &wrong):
		return nil, e.Journal.Apply(machine.Event{
			Type: machine.GateRaised, Kind: machine.GateBlocked, Task: t.ID,
			Detail: fmt.Sprintf("The working trees of the tasks could not be made ready: %v", err),
		})
	case err != nil:
		return nil, err
	}
	e.Trees().TellLacks(worktree.WithoutHooks(lacks))
	return lane, nil
}

// laneAt is the engine of a task's lane. A tree that is there is taken as it is, whatever the agent did to it: the end of
// its dispatch puts that right. One of an earlier lane is kept under a ref, and made again.
func (e *Engine) laneAt(ctx context.Context, t machine.Task) (*Engine, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	ctx = context.WithoutCancel(ctx)
	dir := e.Trees().laneDir(t.Lane)
	repo, err := e.Repo.Worktrees.At(ctx, dir)
	if err != nil {
		return nil, err
	}
	if repo != nil && e.Journal.State().Snapshots.Of(madeFor(t.ID)) != t.Lane.Base { // or a stop came before anybody worked there
		if err := e.Trees().keepLane(ctx, repo, t.ID); err != nil {
			return nil, err
		}
		repo = nil
	}
	fresh := repo == nil
	if fresh {
		if repo, err = e.Repo.Worktrees.AddBranch(ctx, dir, t.Lane.Branch, t.Lane.Base); err != nil {
			return nil, err
		}
		if err := e.facts().AddBranch(ctx, t.Lane.Branch, t.Lane.Base); err != nil {
			return nil, err
		}
		made := machine.Snapshots{{Of: madeFor(t.ID), Commit: t.Lane.Base}}
		if err := e.Journal.Apply(machine.Event{Type: machine.SnapshotTaken, Snapshots: made}); err != nil {
			return nil, err
		}
	}
	lane := e.in(repo, t.ID)
	lane.last.Fresh = fresh
	return lane, repo.TakeUp(ctx)
}

// in is an engine that works on one task in another working tree of the same session. It has all parts of the one that
// drives the session, but for the tree and the name in its reports.
func (e *Engine) in(repo *git.Repo, task string) *Engine {
	parts := e.Parts
	parts.Repo, parts.Journal = repo, e.Journal.For(task)
	parts.Checks.Watch = parts.Journal.Command
	return &Engine{Parts: parts, main: e, task: task, lanes: e.lanes, atWork: e.atWork, spec: e.spec}
}

// startedOver says that what was done in a lane is gone with its working tree: the attempt starts over.
func (e *Engine) startedOver(t machine.Task) error {
	e.Journal.Note("warning", fmt.Sprintf("The working tree of %s was removed, and with it what had been done there: it is made again, and the attempt begins again", t.ID))
	return e.Journal.Apply(machine.Event{Type: machine.RolledBack, Task: t.ID})
}
