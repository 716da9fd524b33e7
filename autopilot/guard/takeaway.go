package guard

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// takeAway removes new files that appeared while a persona worked that may only read, and are saved under a ref. It is
// told before they go: a stop in between must not leave anybody looking for them. Each is told once in a run.
func (g Guard) takeAway(files []git.File, ref string, persona personas.Persona) error {
	if len(files) == 0 {
		return nil
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	appeared := fmt.Sprintf("autopilot removed files that the %s created, because it may only read: ", persona.Name)
	g.Journal.Progress(journal.ProgressLine{Type: "ROLLBACK", Message: appeared + strings.Join(words.FirstFew(paths, 8), ", ") + "; kept as " + ref})
	fresh := slices.DeleteFunc(paths, func(path string) bool { return !g.Journal.WarnOnce("taken away " + path) })
	if len(fresh) > 0 {
		g.Journal.Note("info", appeared+strings.Join(words.FirstFew(fresh, 8), ", ")+". Restore: "+workspace.RestoreCommand(ref, fresh)+
			". To ignore them from now on, "+journal.Ignoring(fresh))
	}
	return g.Repo.Files.TakeAway(files)
}
