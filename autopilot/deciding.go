package autopilot

import (
	"path"
	"slices"

	"autopilot/autopilot/check"
	"autopilot/autopilot/git"
	"autopilot/autopilot/plainfile"
)

// decidingScripts are the files that the phase's commands run: the project's commands, or those near what was changed,
// and those of its tasks. Who runs the commands tells which of them cannot be found.
func (e *Engine) decidingScripts(changes []change, contents ...check.Change) []string {
	if e.Settings.ValidateNone {
		return nil
	}
	root := e.Repo.Root()
	list, _ := check.Find(root, e.Settings.Validations...)
	if len(list) == 0 {
		list, _ = check.FindNear(root, git.Paths(changes))
	}
	for _, t := range e.state().Tasks {
		if t.Validation != "" {
			list = append(list, check.Validation{Command: t.Validation, Dir: e.dirOf(t)})
		}
	}
	return check.Scripts(root, list, check.Before(contents))
}

// isDecidingScript says whether a plan's file is one of the scripts, and there. A test that is read as one is none.
func (e *Engine) isDecidingScript(file string, scripts []string) bool {
	if !slices.Contains(scripts, path.Clean(file)) {
		return false
	}
	content, err := plainfile.ReadIn(e.Repo.Root(), file)
	return err == nil && !check.ReadAsTest(path.Clean(file), content)
}
