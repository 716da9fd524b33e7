package changes

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
)

// withheld is what lies in a working tree and comes into no commit: files, and folders with a slash at the end.
type withheld struct{ ignored, nested, submodules, unseen []string }

func (w withheld) entries() []string {
	return slices.Concat(w.ignored, w.nested, w.submodules, w.unseen)
}

// withheldFrom lists what may be withheld of a task. Git told of ignored files and of repositories inside this one already;
// what it tracks it is asked for only where an announcement has no change in it.
func (cs Changes) withheldFrom(ctx context.Context, t machine.Task, changes []git.Change) (w withheld, err error) {
	status, err := cs.Repo.Tree.Status(ctx)
	w.ignored, w.nested = status.Ignored, status.Nested
	if err != nil || allChanged(t.Files, changes) {
		return w, err
	}
	tracked, err := cs.Repo.Tree.Tracked(ctx)
	if err != nil {
		return w, err
	}
	w.submodules = tracked.Submodules
	w.unseen, err = cs.Repo.Tree.Unseen(ctx, t.Announces)
	return w, err
}

func allChanged(patterns []string, changes []git.Change) bool {
	paths := git.Paths(changes)
	return !slices.ContainsFunc(patterns, func(p string) bool { return !slices.ContainsFunc(paths, announces(p)) })
}

// why says for what reason a file is withheld, and what is to be done; "" where git has a rule for it, or a link is above.
func (w withheld) why(file string) (because, rationale string) {
	nested, submodule := coveredBy(w.nested, file), coveredBy(w.submodules, file)
	switch {
	case nested != "":
		return "it lies in a repository of its own", fmt.Sprintf(
			"git takes nothing of %s while there is a %s.git. Remove that if it came with this task, else put the file elsewhere", nested, nested)
	case submodule != "":
		return "it lies in a submodule", fmt.Sprintf(
			"autopilot commits nothing of %s. Work on that repository by itself, or put the file elsewhere; the plan must not announce it", submodule)
	case git.IsRunData(file):
		return "it counts as data of autopilot's own runs", ".harness, and harness-*.json, harness-*.txt and .harness-* at the root, come into no commit. " +
			"Give the file another name, or put it in a folder"
	case slices.Contains(w.unseen, file):
		return "git was told to pass it over", "a person has to take that back, with git update-index --no-skip-worktree or --no-assume-unchanged; " +
			"where it has to stay so, the plan must not announce the file"
	}
	return "", ""
}
