package app

import (
	"context"
	"path/filepath"

	"autopilot/autopilot/git"
	ws "autopilot/autopilot/workspace"
	"autopilot/sessions/storage"
)

// opening finds a repository: git.Find for commands that only look, git.Open for those that commit.
type opening func(context.Context, string) (*git.Repo, error)

// RepoAt is the repository of a folder, for a command that reads or writes below its .harness. One is refused in which a
// folder that autopilot writes in is a link: a repository can carry .harness as one in a commit, and an agent can make
// others; they may lead to whatever their maker likes.
func RepoAt(ctx context.Context, dir string, open opening) (*git.Repo, error) {
	repo, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	return repo, ws.OwnFolders(repo)
}

// UserRepoAt is repoAt for a command on the user's sessions, or on files of theirs: the program's own working trees are
// refused.
func UserRepoAt(ctx context.Context, dir string, open opening) (*git.Repo, error) {
	repo, err := RepoAt(ctx, dir, open)
	if err != nil {
		return nil, err
	}
	return repo, NotOwnTree(repo)
}

// PlainHarness refuses what lies in the place of a folder's .harness and is no folder: a *plainfile.LinkError.
func PlainHarness(root string) error {
	return storage.PlainFolder(storage.OSDisk{}, filepath.Join(root, ".harness"))
}

// PlainAbove is plainHarness for the .harness that a path names a file of, wherever it lies.
func PlainAbove(file string) error {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == ".harness" {
			return PlainHarness(filepath.Dir(dir))
		}
	}
	return nil
}
