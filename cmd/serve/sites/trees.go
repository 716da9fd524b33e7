package sites

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"autopilot/autopilot/git"
	"autopilot/cmd/app"
)

// trees are the working trees whose sessions are shown: those of the roots, and those that git has linked with them by now. Sessions
// lie in the working tree that they were started in, and a person who works in several wants to see all of them.
func (all *Sites) trees(ctx context.Context) ([]*git.Repo, error) {
	var trees []*git.Repo
	seen := map[string]bool{}
	add := func(repo *git.Repo) {
		if !seen[repo.Root()] {
			seen[repo.Root()] = true
			trees = append(trees, repo)
		}
	}
	for _, root := range all.roots {
		add(root)
	}
	for _, root := range all.roots {
		linked, err := root.Worktrees.List()
		if err != nil {
			return nil, err
		}
		for _, dir := range append([]string{filepath.Dir(root.CommonDir())}, linked...) {
			if seen[dir] {
				continue
			}
			if repo := all.linked(ctx, root, dir); repo != nil {
				add(repo)
			}
		}
	}
	return trees, nil
}

// linked is a working tree beside a root; nil where it has no sessions, is gone, is autopilot's own, or may not be looked at. Git's
// record of a working tree is a file that an agent can write, so the folder itself has to belong to the same repository.
func (all *Sites) linked(ctx context.Context, root *git.Repo, dir string) *git.Repo {
	if _, err := os.Stat(filepath.Join(dir, ".harness", "sessions")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if repo := all.opened[dir]; repo != nil {
		return repo
	}
	repo, err := app.UserRepoAt(ctx, dir, git.Find)
	if err != nil || repo.CommonDir() != root.CommonDir() {
		return nil
	}
	all.opened[dir] = repo
	all.masks = append(all.masks, app.MaskOf(all.host, app.ConfigToLook(all.host, repo.Root())))
	return repo
}
