package app

import (
	"path/filepath"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/git"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
)

// NotOwnTree refuses a working tree that the program made for a session, one of its tasks or a worker: a command there would
// not see the session, and a run would begin another one inside of it.
func NotOwnTree(repo *git.Repo) error {
	top := repo.Root()
	of, trees := filepath.Base(top), filepath.Dir(top)
	if name, lane := strings.CutSuffix(filepath.Base(trees), autopilot.LanesSuffix); lane {
		of, trees = name, filepath.Dir(trees)
	}
	harness := filepath.Dir(trees)
	own := repo.GitDir() != repo.CommonDir() && filepath.Base(trees) == autopilot.WorktreesDir && filepath.Base(harness) == ".harness"
	if !own {
		return nil
	}
	if name, worker := strings.CutPrefix(of, TreePrefix); worker {
		of = "worker " + name
	} else {
		of = "session " + of
	}
	return console.UsageError("%s is autopilot's own working tree, of %s. Go to the main folder, and run the command there: cd %s", top, of, shell.QuotePath(filepath.Dir(harness)))
}

// TreePrefix begins the names of workers' working trees.
const TreePrefix = "tasks."
