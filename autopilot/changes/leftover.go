package changes

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// Leftover is what tasks that failed for good left uncommitted when another one begins: it waits for the recovery
// commit, and must not be taken for that task's work. It is saved under a ref.
func (cs Changes) Leftover(ctx context.Context, id string) ([]machine.Left, error) {
	if t, _ := cs.Journal.State().Task(id); t.Base != "" {
		return nil, nil
	}
	if !slices.ContainsFunc(cs.Journal.State().Tasks, func(t machine.Task) bool { return t.Status == machine.TaskFailed || t.Status == machine.TaskSkipped }) {
		return nil, nil
	}
	return cs.LeftoverBeside(ctx, id, nil)
}

// LeftoverBeside is all that lies uncommitted in the run's working tree, the task's own paths aside.
func (cs Changes) LeftoverBeside(ctx context.Context, id string, own []string) ([]machine.Left, error) {
	paths, err := cs.Uncommitted(ctx)
	paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(own, p) })
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	saved, err := cs.Repo.Files.Save(ctx, cs.ref("leftover/"+id), fmt.Sprintf("what other tasks left when %s began", id), paths)
	if err != nil {
		return nil, fmt.Errorf("saving what other tasks left: %w", err)
	}
	var left []machine.Left
	for _, f := range saved.All() {
		left = append(left, machine.Left{Path: f.Path, Mode: f.Mode, Blob: f.Blob, Size: f.Size})
	}
	return left, nil
}
