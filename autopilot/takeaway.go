package autopilot

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
)

// takeAway removes new files that appeared while a persona worked that may only read, and are saved under a ref. It is
// told before they go: a stop in between must not leave anybody looking for them. Each is told once in a run.
func (e *Engine) takeAway(files []git.File, ref string, persona personas.Persona) error {
	if len(files) == 0 {
		return nil
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	appeared := fmt.Sprintf("Appeared while the %s worked, and taken away: ", persona.Name)
	e.Journal.Progress(journal.ProgressLine{Type: "ROLLBACK", Message: appeared + strings.Join(words.FirstFew(paths, 8), ", ") + "; kept as " + ref})
	fresh := slices.DeleteFunc(paths, func(path string) bool { return !e.Journal.WarnOnce("taken away " + path) })
	if len(fresh) > 0 {
		e.Journal.Note("info", appeared+strings.Join(words.FirstFew(fresh, 8), ", ")+". To have it back: "+workspace.RestoreCommand(ref, fresh)+
			". To have git ignore what commands leave again and again, "+journal.Ignoring(fresh))
	}
	return e.Repo.Files.TakeAway(files)
}

// TellLacks tells what the working trees of a session lack, each once in a run.
func (e *Engine) TellLacks(lacks []worktree.Lack) {
	for _, l := range lacks {
		if e.Journal.WarnOnce(l.Text) {
			e.Journal.Note("warning", l.Text)
		}
	}
}
