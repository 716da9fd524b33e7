package autopilot

import (
	"context"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// steering reads what steers git before a dispatch. What all working trees share is read while no other dispatch runs:
// what an agent at work did to it must not be taken for what was there.
func (e *Engine) steering() (git.Steering, error) {
	now, err := e.Repo.Steering()
	if err != nil {
		return now, err
	}
	l := e.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.marked) == 0 || l.steering == nil {
		l.steering = now.Shared
	}
	now.Shared = l.steering
	return now, nil
}

// settleSteering puts back what steers git: behind it a file could be hidden from the diff, and what is validated would
// depend on what nobody commits or reviews.
func (e *Engine) settleSteering(ctx context.Context, w watch, found *settled) error {
	was, l := w.Steering, e.lanes
	l.mu.Lock()
	if _, runs := l.marked[w.ID]; runs && l.steering != nil {
		was.Shared = l.steering // as it stands since another dispatch that met it ended
	}
	l.mu.Unlock()
	kept := filepath.Join(e.Repo.CommonDir(), "autopilot", "undone", w.ID)
	repo := e.Repo
	if e.main != nil && !repo.Stands() {
		repo, was.Own = e.main.Repo, nil
	}
	changed, err := repo.PutSteeringBack(ctx, was, w.Base, kept)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		l.mu.Lock()
		l.steering = was.Shared
		l.mu.Unlock()
	}
	for _, name := range changed {
		severity, who := e.blame(w.ID)
		found.add(severity, who+"changed what decides how git sees the repository: .git/"+name,
			"it was put back; what was there is kept in "+kept, ".git/"+fileOf(name))
	}
	return nil
}

// fileOf is the file of "config (core.hookspath)".
func fileOf(name string) string {
	for _, file := range []string{"config.worktree", "config"} {
		if len(name) > len(file) && name[:len(file)+1] == file+" " {
			return file
		}
	}
	return name
}

// settleHidden puts back the files that git ignores, now or before a dispatch, and tests are steered by. What was there is
// kept under a ref.
func (e *Engine) settleHidden(ctx context.Context, w watch, now map[string]*git.Held, found *settled) error {
	if w.Hidden == nil {
		return nil
	}
	changed, err := e.changedHidden(w.Hidden, now)
	if err != nil || len(changed) == 0 {
		return err
	}
	saved, err := e.Repo.SaveTree(ctx, e.ref("undone/"+w.ID+"/ignored"), "files that git ignores and tests are steered by", changed)
	if err != nil {
		return err
	}
	for _, f := range saved.LeftOut {
		aside, err := e.Repo.MoveAside(f.Path)
		if err != nil {
			return err
		}
		found.byProducts = append(found.byProducts, aside)
	}
	kept := ""
	if saved.Ref != "" {
		kept = "; what was there is kept under " + saved.Ref
	}
	for _, path := range changed {
		if err := w.Hidden[path].PutAt(filepath.Join(e.Repo.Root(), filepath.FromSlash(path))); err != nil {
			return err
		}
		found.add(machine.Critical, "the agent changed a file that git ignores and that decides how tests run",
			"what is validated would depend on what is neither committed nor reviewed; it was put back as it was before"+kept, path)
	}
	return nil
}
