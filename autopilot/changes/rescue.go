package changes

import (
	"context"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// doneByOthers lists the paths that are as another task committed them since this one was begun. A commit of what a human
// fixed for one task may hold what was fixed for this one, too, so that it is nobody's alone.
func (cs Changes) doneByOthers(ctx context.Context, t machine.Task) ([]string, error) {
	commits, err := cs.Repo.History.Between(ctx, t.Base, "HEAD")
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, c := range commits {
		if !cs.byAnother(c, t.ID) {
			continue
		}
		before, err := cs.Repo.Tree.Changes(ctx, c.Parents[0])
		if err != nil {
			return nil, err
		}
		after, err := cs.Repo.Tree.Changes(ctx, c.SHA)
		if err != nil {
			return nil, err
		}
		paths = append(paths, NewIn(git.Paths(before), git.Paths(after))...)
	}
	return paths, nil
}

// byAnother says whether the session made a commit of what an agent did for another task.
func (cs Changes) byAnother(c git.Described, id string) bool {
	s := cs.Journal.State()
	other, is := s.Task(c.Trailer("Autopilot-Task"))
	return cs.IsOurs(c) && is && other.ID != id && !other.ByHuman && len(c.Parents) == 1
}
