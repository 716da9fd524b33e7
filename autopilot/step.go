package autopilot

import (
	"context"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/worktree"
)

// Step does the next step of the session, or of a task's lane, and nothing beside it. Somebody else says when a step is due, and has
// put the working trees, the session's refs and its folder as the last step left them: maybe on another machine. It waits for
// nobody: a question that needs a person stays open.
func (e *Engine) Step(ctx context.Context, task string) error {
	defer e.Repo.Leave()
	if err := e.Repo.Config.Pin(ctx); err != nil {
		return err
	}
	if s := e.Journal.State(); s.Runs == 0 {
		if err := e.starting().start(ctx); err != nil {
			return err
		}
		return worktree.MarkReadyFor(e.Repo, s.SessionID)
	}
	if err := e.starting().takeUp(ctx); err != nil {
		return err
	}
	if task != "" {
		return laneStep(ctx, e, task)
	}
	if err := e.starting().follow(ctx); err != nil {
		return err
	}
	step := machine.Next(e.Journal.State())
	switch step.Name {
	case machine.StepEnd, machine.StepLanes:
		return nil
	case machine.StepWait:
		return e.gates().Otherwise()
	}
	if err := e.starting().furnish(ctx, step); err != nil {
		return err
	}
	return perform(ctx, e, step)
}

// laneStep does the next step of a task's lane.
func laneStep(ctx context.Context, e *Engine, task string) error {
	s := e.Journal.State()
	t, ok := s.Task(task)
	if !ok || !t.Lane.Busy() {
		return nil
	}
	step := machine.InLane(s, t)
	if err := e.starting().furnish(ctx, step); err != nil {
		return err
	}
	lane, err := e.openLane(ctx, t)
	if err != nil || lane == nil {
		return err
	}
	return stopped(ctx, lane, step, lane.do(ctx, step, laneActs[step.Name]))
}
