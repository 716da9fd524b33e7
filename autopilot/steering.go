package autopilot

import (
	"context"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// steering reads what steers git before a dispatch. What all working trees share is read while no other dispatch runs:
// what an agent at work did to it must not be taken for what was there.
func (e *Engine) steering() (git.Steering, error) {
	now, err := e.Repo.Steering.Read()
	if err != nil {
		return now, err
	}
	l := e.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	if !e.atWork.runs("") || l.steering == nil {
		l.steering = now.Shared
	}
	now.Shared = l.steering
	return now, nil
}

// restoreSteering puts back what steers git: behind it a file could be hidden from the diff, and what is validated would
// depend on what nobody commits or reviews.
func (e *Engine) restoreSteering(ctx context.Context, w snapshot, found *restored) error {
	return e.settleSteered(ctx, w, found, workspace.RepoGuard.PutSteeringBack)
}

// restorePrograms is the part of it that has to come before git looks at the working tree.
func (e *Engine) restorePrograms(ctx context.Context, w snapshot, found *restored) error {
	return e.settleSteered(ctx, w, found, workspace.RepoGuard.PutProgramsBack)
}

func (e *Engine) settleSteered(ctx context.Context, w snapshot, found *restored, back func(workspace.RepoGuard, context.Context, workspace.RepoSnapshot) ([]machine.Finding, error)) error {
	was, l := w.Steering, e.lanes
	l.mu.Lock()
	if e.atWork.runs(w.ID) && l.steering != nil {
		was.Shared = l.steering // as it stands since another dispatch that met it ended
	}
	l.mu.Unlock()
	g := e.guarding(w)
	if e.main != nil && !g.Repo.Stands() {
		g.Repo, was.Own = e.main.Repo, nil
	}
	w.Steering = was
	changed, err := back(g, ctx, w.RepoSnapshot)
	if len(changed) > 0 {
		l.mu.Lock()
		l.steering = was.Shared
		l.mu.Unlock()
	}
	found.findings = append(found.findings, changed...)
	return err
}
