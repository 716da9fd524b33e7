package autopilot

import (
	"context"
	"fmt"

	"autopilot/autopilot/facts"
	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
)

// Around a dispatch in the run's own working tree the user's uncommitted files are watched with everything else. While
// only lanes are at work nobody is dispatched there, and yet an agent can reach it.

// saveUsersFiles saves the user's uncommitted files before a task begins beside the others.
func (e *Engine) saveUsersFiles(ctx context.Context) error {
	left := e.Journal.State().LeftOut
	var last git.Saved
	if len(left) == 0 {
		return nil
	}
	if known, err := e.facts().Get(ctx, facts.SavedUsers, &last); err != nil {
		return err
	} else if known {
		deleted, altered, err := e.Repo.Files.Altered(last.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return nil
		}
	}
	saved, err := e.Repo.Files.Save(ctx, e.ref(fmt.Sprintf("user/%d", e.Journal.State().Usage.Dispatches+1)), "your files, before a wave", left)
	if err != nil {
		return fmt.Errorf("saving your uncommitted files: %w", err)
	}
	return e.facts().Keep(ctx, facts.SavedUsers, saved)
}

// lookAfterUsersFiles restores what is gone of the user's files when a dispatch in a lane ends, and names what is not as
// it was: that may be the user's own edit, and stays.
func (e *Engine) lookAfterUsersFiles(ctx context.Context, found *restored) error {
	var saved git.Saved
	if len(e.Journal.State().LeftOut) == 0 {
		return nil
	}
	if known, err := e.facts().Get(ctx, facts.SavedUsers, &saved); err != nil || !known {
		return err
	}
	deleted, altered, err := e.Repo.Files.Altered(saved.Files)
	if err != nil {
		return err
	}
	found.findings = append(found.findings, workspace.RepoGuard{Repo: e.Repo, Who: "one of the agents at work, or you,"}.RestoreUserFiles(ctx, saved, deleted, altered)...)
	if len(altered) == 0 {
		return nil
	}
	return e.saveUsersFiles(ctx) // so that it is said once
}
