package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
)

// Lack is something that the repository's own working tree has and a new one does not, although it was made ready.
type Lack struct {
	Hooks bool   // it matters to commits alone
	Text  string // with what brings it there
}

// lacks compares a new working tree with the one that ignored paths are copied from. It only advises: what cannot be
// compared is left out.
func (f Setup) lacks(ctx context.Context, from, to string) []Lack {
	repo, err := git.Find(ctx, to)
	if err != nil {
		return nil
	}
	var found []Lack
	if empty := emptySubmodules(ctx, repo, from); len(empty) > 0 {
		are := " is an empty submodule"
		if len(empty) > 1 {
			are = " are empty submodules"
		}
		found = append(found, Lack{Text: strings.Join(empty, ", ") + are + " in this working tree: " + f.updating(from)})
	}
	dir := filepath.ToSlash(repo.Config.HooksPath(ctx))
	if dir != "" && filepath.IsLocal(dir) && present(filepath.Join(from, dir)) && !present(filepath.Join(to, dir)) {
		copies := strings.Join(append(slices.Clone(f.Copy), dir), ", ")
		found = append(found, Lack{Hooks: true, Text: "core.hooksPath names " + dir +
			", which is not in this working tree, so commits run no hooks: in autopilot.yaml, set worktree.copy: [" + copies + "]"})
	}
	return found
}

// updating says how submodules come into new working trees beside what makes these ready already.
func (f Setup) updating(from string) string {
	const update = "git submodule update --init"
	switch {
	case f.Command != "":
		return "in autopilot.yaml, set worktree.setup: " + update + " && " + f.Command
	case present(filepath.Join(from, ".harness", InitScript)):
		return "add this line to .harness/" + InitScript + ": " + update
	}
	return "in autopilot.yaml, set worktree.setup: " + update
}

// emptySubmodules lists the submodules, with a slash at the end, that are checked out in another working tree and not here.
func emptySubmodules(ctx context.Context, repo *git.Repo, from string) []string {
	if !present(filepath.Join(repo.Root(), ".gitmodules")) {
		return nil
	}
	tracked, err := repo.Tree.Tracked(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(tracked.Submodules, func(dir string) bool {
		dir = filepath.FromSlash(dir)
		return !filled(filepath.Join(from, dir)) || filled(filepath.Join(repo.Root(), dir))
	})
}

func filled(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// WithoutHooks is what a working tree lacks in which nothing is committed.
func WithoutHooks(lacks []Lack) []Lack {
	return slices.DeleteFunc(lacks, func(l Lack) bool { return l.Hooks })
}
