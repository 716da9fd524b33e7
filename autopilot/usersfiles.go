package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// Around a dispatch in the run's own working tree the user's uncommitted files are watched with everything else. While
// only lanes are at work nobody is dispatched there, and yet an agent can reach it.

func (e *Engine) usersFilesFile() string {
	return filepath.Join(e.Repo.GitDir(), "autopilot", "users-files.json")
}

// saveUsersFiles saves the user's uncommitted files before a task begins beside the others.
func (e *Engine) saveUsersFiles(ctx context.Context) error {
	left := e.state().LeftOut
	var last git.Saved
	if readJSON(e.usersFilesFile(), &last) == nil {
		deleted, altered, err := e.Repo.Altered(last.All())
		if err == nil && len(deleted)+len(altered) == 0 {
			return nil
		}
	}
	if len(left) == 0 {
		return nil
	}
	saved, err := e.Repo.SaveTree(ctx, e.ref(fmt.Sprintf("user/%d", e.state().Usage.Dispatches+1)), "your files, before a wave", left)
	if err != nil {
		return fmt.Errorf("saving your uncommitted files: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(e.usersFilesFile()), 0o755); err != nil {
		return err
	}
	return writeJSON(e.usersFilesFile(), saved)
}

// ignoreMissing passes over a file that is not there.
func ignoreMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}

// lookAfterUsersFiles restores what is gone of the user's files when a dispatch in a lane ends, and names what is not as
// it was: that may be the user's own edit, and stays.
func (e *Engine) lookAfterUsersFiles(ctx context.Context, found *settled) error {
	var saved git.Saved
	if len(e.state().LeftOut) == 0 {
		return nil
	}
	if err := readJSON(e.usersFilesFile(), &saved); err != nil {
		return ignoreMissing(err)
	}
	deleted, altered, err := e.Repo.Altered(saved.Files)
	if err != nil {
		return err
	}
	for _, path := range deleted {
		if err := e.Repo.RestorePaths(ctx, saved.Ref, []string{path}); err != nil {
			e.note("warning", fmt.Sprintf("%s is gone and could not be restored: %v", path, err))
			continue
		}
		found.add(machine.Important, "a file of yours was deleted while agents were at work; it was restored", "", path)
	}
	for _, path := range altered {
		found.add(machine.Important, "a file with your uncommitted changes was altered while agents were at work; it is kept out of the commits",
			fmt.Sprintf("the version from before: git restore --source=%s --worktree -- %s", saved.Ref, quote(path)), path)
	}
	if len(altered) == 0 {
		return nil
	}
	return e.saveUsersFiles(ctx) // so that it is said once
}
