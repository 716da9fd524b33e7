package autopilot

import (
	"fmt"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/workspace"
	"autopilot/autopilot/worktree"
	"autopilot/personas"
)

// takenAway names, in the git folder, the paths that people were told of, so that each is told once in a session.
type takenAway struct {
	Session string     `json:"session"`
	Told    []git.File `json:"told"`
}

// takeAway removes new files that appeared while a persona worked that may only read, and are saved under a ref. It is
// told before they go: a stop in between must not leave anybody looking for them.
func (e *Engine) takeAway(files []git.File, ref string, persona personas.Persona) error {
	if len(files) == 0 {
		return nil
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	appeared := fmt.Sprintf("Appeared while the %s worked, and taken away: ", persona.Name)
	e.progress(ProgressLine{Type: "ROLLBACK", Message: appeared + strings.Join(firstFew(paths, 8), ", ") + "; kept as " + ref})
	known, fresh := e.toldOf(paths)
	if len(fresh) > 0 {
		e.note("info", appeared+strings.Join(firstFew(fresh, 8), ", ")+". To have it back: "+workspace.BringBack(ref, fresh)+
			". To have git ignore what commands leave again and again, "+ignoring(fresh))
		if err := writeJSON(e.takenAwayFile(), known); err != nil {
			return err
		}
	}
	return e.Repo.TakeAway(files)
}

func (e *Engine) takenAwayFile() string {
	if e.main != nil {
		return e.main.takenAwayFile() // a lane's git folder goes with the lane
	}
	return filepath.Join(e.Repo.GitDir(), "autopilot", "taken-away.json")
}

// toldOf lists those paths that nobody was told of in this session, and what is to be remembered once they are.
func (e *Engine) toldOf(paths []string) (known takenAway, fresh []string) {
	session := e.state().SessionID
	if readJSON(e.takenAwayFile(), &known) != nil || known.Session != session {
		known = takenAway{Session: session}
	}
	told := map[string]bool{}
	for _, f := range known.Told {
		told[f.Path] = true
	}
	for _, path := range paths {
		if !told[path] {
			fresh, known.Told = append(fresh, path), append(known.Told, git.File{Path: path})
		}
	}
	return known, fresh
}

// TellLacks tells what the working trees of a session lack, each once in the session.
func (e *Engine) TellLacks(lacks []worktree.Lack) {
	if len(lacks) == 0 {
		return
	}
	if e.main != nil {
		e.main.TellLacks(lacks)
		return
	}
	if e.lanes == nil {
		e.lanes = newLanes()
	}
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	var lines []string
	for _, l := range lacks {
		lines = append(lines, l.Text)
	}
	known, fresh := e.toldOf(lines)
	for _, line := range fresh {
		e.note("warning", line)
	}
	if len(fresh) > 0 {
		_ = writeJSON(e.takenAwayFile(), known) // else it is told once more
	}
}
