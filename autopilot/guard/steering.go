package guard

import (
	"context"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/steering"
	"autopilot/autopilot/workspace"
)

// steering reads what steers git before a dispatch. What all working trees share is read while no other dispatch runs:
// what an agent at work did to it must not be taken for what was there.
func (g Guard) steering() (steering.Snapshot, error) {
	now, err := steering.Files{Repo: g.Repo}.Read()
	if err != nil {
		return now, err
	}
	l := g.AtWork
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.marked) == 0 || l.steering == nil {
		l.steering = now.Shared
	}
	now.Shared = l.steering
	return now, nil
}

// restoreSteering puts back what steers git: behind it a file could be hidden from the diff, and what is validated would
// depend on what nobody commits or reviews.
func (g Guard) restoreSteering(ctx context.Context, w Snapshot, found *Found) error {
	return g.settleSteered(ctx, w, found, workspace.RepoGuard.PutSteeringBack)
}

// restorePrograms is the part of it that has to come before git looks at the working tree.
func (g Guard) restorePrograms(ctx context.Context, w Snapshot, found *Found) error {
	return g.settleSteered(ctx, w, found, workspace.RepoGuard.PutProgramsBack)
}

func (g Guard) settleSteered(ctx context.Context, w Snapshot, found *Found, back func(workspace.RepoGuard, context.Context, workspace.RepoSnapshot) ([]machine.Finding, error)) error {
	was, l := w.Steering, g.AtWork
	l.mu.Lock()
	if _, runs := l.marked[w.ID]; runs && l.steering != nil {
		was.Shared = l.steering // as it stands since another dispatch that met it ended
	}
	l.mu.Unlock()
	rg := g.repoGuard(w)
	if g.Lane != "" && !rg.Repo.Stands() {
		rg.Repo, was.Own = g.Home, nil
	}
	w.Steering = was
	changed, err := back(rg, ctx, w.RepoSnapshot)
	if len(changed) > 0 {
		l.mu.Lock()
		l.steering = was.Shared
		l.mu.Unlock()
	}
	found.Findings = append(found.Findings, changed...)
	return err
}
