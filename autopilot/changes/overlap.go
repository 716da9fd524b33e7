package changes

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// Overlap lists the user's uncommitted files that a task names, and those of the user's that are clean by now: what a
// human committed meanwhile is not to be kept out of commits any more.
func (cs Changes) Overlap(ctx context.Context, id string) (overlap, freed []string, err error) {
	s := cs.Journal.State()
	if len(s.LeftOut) == 0 {
		return nil, nil, nil
	}
	status, err := cs.Repo.Tree.Status(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, _ := s.Task(id)
	for _, path := range s.LeftOut {
		i := slices.IndexFunc(status.Dirt, func(c git.Change) bool { return c.Path == path })
		switch {
		case i < 0:
			freed = append(freed, path)
		case isNamed(t, status.Dirt[i]):
			overlap = append(overlap, path)
		}
	}
	return overlap, freed, nil
}

// isNamed says whether a task names a file of the user's. One that git does not track has to be named by its path: what
// lies about in a folder is not what a task of that folder is about.
func isNamed(t machine.Task, c git.Change) bool {
	return slices.Contains(t.Files, c.Path) || t.Announces(c.Path) && (c.Staged || !c.Untracked)
}
