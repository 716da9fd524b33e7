package checks

import (
	"path"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/validate"
)

// Scripts are the files that the phase's commands run: the project's commands, or those near what was changed,
// and those of its tasks. Who runs the commands tells which of them cannot be found.
func (cs Checks) Scripts(changes []git.Change, contents ...integrity.Change) []string {
	if cs.None {
		return nil
	}
	root := cs.Repo.Root()
	list, _ := validate.Find(root, cs.Configured...)
	if len(list) == 0 {
		list, _ = validate.FindNear(root, git.Paths(changes))
	}
	for _, t := range cs.Journal.State().Tasks {
		if t.Validation != "" {
			list = append(list, validate.Validation{Command: t.Validation, Dir: cs.dirOf(t)})
		}
	}
	return validate.Scripts(root, list, integrity.Before(contents))
}

// IsScript says whether a plan's file is one of the scripts. One that lies with tests is none: what it was before is run.
func IsScript(file string, scripts []string) bool {
	return slices.Contains(scripts, path.Clean(file)) && integrity.RoleOf(path.Clean(file)) == integrity.Work
}
