package changes

import (
	"context"
	"fmt"

	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// Around a dispatch in the run's own working tree the user's uncommitted files are watched with everything else. While
// only lanes are at work nobody is dispatched there, and yet an agent can reach it.

// SaveUsersFiles saves the user's uncommitted files before a task begins beside the others.
func (cs Changes) SaveUsersFiles(ctx context.Context) error {
	left := cs.Journal.State().LeftOut
	var last git.Saved
	if len(left) == 0 {
		return nil
	}
	if known, err := cs.Facts.Get(ctx, facts.SavedUsers, &last); err != nil {
		return err
	} else if known {
		deleted, altered, err := cs.Repo.Files.Altered(last.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return nil
		}
	}
	saved, err := cs.Repo.Files.Save(ctx, cs.ref(fmt.Sprintf("user/%d", cs.Journal.State().Usage.Dispatches+1)), "your files, before a wave", left)
	if err != nil {
		return fmt.Errorf("saving your uncommitted files: %w", err)
	}
	return cs.Facts.Keep(ctx, facts.SavedUsers, saved)
}

// LookAfterUsersFiles restores what is gone of the user's files when a dispatch in a lane ends, and names what is not as
// it was: that may be the user's own edit, and stays.
func (cs Changes) LookAfterUsersFiles(ctx context.Context) ([]machine.Finding, error) {
	var saved git.Saved
	if len(cs.Journal.State().LeftOut) == 0 || cs.Facts.Alone { // or they are on the person's machine
		return nil, nil
	}
	if known, err := cs.Facts.Get(ctx, facts.SavedUsers, &saved); err != nil || !known {
		return nil, err
	}
	deleted, altered, err := cs.Repo.Files.Altered(saved.Files)
	if err != nil {
		return nil, err
	}
	found := workspace.RepoGuard{Repo: cs.Repo, Who: "one of the agents at work, or you,"}.RestoreUserFiles(ctx, saved, deleted, altered)
	if len(altered) > 0 {
		err = cs.SaveUsersFiles(ctx) // so that it is said once
	}
	return found, err
}
