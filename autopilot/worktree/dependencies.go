package worktree

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/project"
	"autopilot/autopilot/validate"
)

// noPackage has the words in which the tools of a family of package managers say that a package, and no file of the
// project, is not there.
var noPackage = map[string]*lazyregexp.Regexp{
	project.Node:   lazyregexp.New("(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve) ['\"`][^./'\"`]"),
	project.Python: lazyregexp.New(`No module named ['"]?\w`),
}

// MissingDependencies tells a failure of the work from one of a new working tree, root, beside the repository's own, from:
// where a package is not found, and a folder of packages that git ignores was not brought there, nothing was checked.
func MissingDependencies(ctx context.Context, from, root string, ev validate.Evidence) validate.Evidence {
	if ev.Outcome != validate.Failed || root == from || !lacksPackage(ev.Output) {
		return ev
	}
	missing := slices.DeleteFunc(notBrought(ctx, from, root), func(p string) bool {
		// A task's own module that is not there is a mistake of the task; in a clean tree the tasks passed already.
		family := project.FamilyIn(path.Base(p))
		return !noPackage[family].MatchString(ev.Output) || family != project.Node && Inside(from, root)
	})
	if len(missing) == 0 {
		return ev
	}
	ev.Outcome = validate.CouldNotCheck
	ev.Reason = "a package is not there: git ignores " + strings.Join(missing, ", ") + ", and this working tree is a new one. " + bringing(missing[0])
	return ev
}

func lacksPackage(output string) bool {
	for _, words := range noPackage {
		if words.MatchString(output) {
			return true
		}
	}
	return false
}

// Inside says whether a folder lies in another, by their names.
func Inside(outer, dir string) bool {
	name, err := filepath.Rel(outer, dir)
	return err == nil && filepath.IsLocal(name)
}

// newVenv makes a virtual environment with the project itself in it.
const newVenv = "python3 -m venv .venv && .venv/bin/pip install -e ."

// bringing says how an ignored folder of packages comes into new working trees.
func bringing(folder string) string {
	return "In autopilot.yaml, add " + folder + " to worktree.copy, or have worktree.setup make it, such as: " + installing(folder)
}

func installing(folder string) string {
	if path.Base(folder) == modules {
		return project.Known("npm").Locked
	}
	return newVenv
}

// notBrought lists the folders of packages that lie ignored in one working tree, and in the other neither are there nor
// are found upwards, where tools look for them.
func notBrought(ctx context.Context, from, to string) []string {
	repo, err := git.Find(ctx, from)
	if err != nil {
		return nil
	}
	status, err := repo.Tree.Status(ctx)
	if err != nil {
		return nil
	}
	var missing []string
	for _, p := range status.Ignored {
		p = strings.TrimSuffix(p, "/")
		if noPackage[project.FamilyIn(path.Base(p))] != nil && !reachable(filepath.Join(to, filepath.FromSlash(p))) {
			missing = append(missing, p)
		}
	}
	return missing
}

// reachable says whether a folder is there, or one of its name in a folder above.
func reachable(folder string) bool {
	name := filepath.Base(folder)
	for dir := filepath.Dir(folder); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
