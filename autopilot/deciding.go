package autopilot

import (
	"path"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
)

// decidingScripts are the files that the phase's commands run: the project's commands, or those near what was changed,
// and those of its tasks. Who runs the commands tells which of them cannot be found.
func (e *Engine) decidingScripts(changes []change, contents ...integrity.Change) []string {
	if e.Settings.ValidateNone {
		return nil
	}
	root := e.Repo.Root()
	list, _ := validate.Find(root, e.Settings.Validations...)
	if len(list) == 0 {
		list, _ = validate.FindNear(root, git.Paths(changes))
	}
	for _, t := range e.Journal.State().Tasks {
		if t.Validation != "" {
			list = append(list, validate.Validation{Command: t.Validation, Dir: e.dirOf(t)})
		}
	}
	return validate.Scripts(root, list, integrity.Before(contents))
}

// isDecidingScript says whether a plan's file is one of the scripts, and there. A test that is read as one is none.
func (e *Engine) isDecidingScript(file string, scripts []string) bool {
	if !slices.Contains(scripts, path.Clean(file)) {
		return false
	}
	content, err := plainfile.ReadIn(e.Repo.Root(), file)
	return err == nil && !integrity.ReadAsTest(path.Clean(file), content)
}
