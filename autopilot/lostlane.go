package autopilot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// restoreThere puts right what a dispatch did, and says whether its lane's working tree is gone.
func (e *Engine) restoreThere(ctx context.Context, w snapshot, persona personas.Persona) (found restored, lost bool, err error) {
	var told restored
	if err := e.removeLinks(w, &told); err != nil {
		return told, false, err
	}
	if lost, err = e.gone(ctx, &told); err != nil {
		return told, lost, err
	}
	if !lost {
		found, err = e.restore(ctx, w, persona)
	} else if w.ID != "" {
		w.Control = maps.Clone(w.Control)
		for path := range w.Control { // what lay in the tree comes back with it
			if strings.HasPrefix(path, e.Repo.Root()+string(filepath.Separator)) {
				err = errors.Join(err, workspace.Remember(w.Control, path))
			}
		}
		err = errors.Join(err, e.restoreSteering(ctx, w, &found), e.restoreControl(w, e.reading(persona), &found), e.restoreRefs(ctx, w, &found))
	}
	found.findings = append(told.findings, found.findings...)
	return found, lost, err
}

// restoreRefs puts back the refs that were moved until the working tree was gone.
func (e *Engine) restoreRefs(ctx context.Context, w snapshot, found *restored) error {
	if err := e.facts().IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	kept := e.ref("undone/" + w.ID)
	deviation, err := e.main.Repo.Guards.PutRefsBack(ctx, w.Guard, kept)
	if err != nil {
		return err
	}
	for _, what := range deviation.Shared {
		severity, who := e.atWork.blame(w.ID)
		found.add(severity, who+" "+what, "it was put back; what was there is kept under "+kept, "")
	}
	return e.facts().AddPutBack(ctx, deviation.Refs)
}

// begunAnew says that what was done in a lane is gone with its working tree: the attempt begins anew.
func (e *Engine) begunAnew(t machine.Task) error {
	e.Journal.Note("warning", fmt.Sprintf("The working tree of %s was removed, and with it what had been done there: it is made anew, and the attempt begins again", t.ID))
	return e.Journal.Apply(machine.Event{Type: machine.RolledBack, Task: t.ID})
}

// gone says whether a lane's working tree is no more, when its dispatch ends. One that only lost its link is mended.
func (e *Engine) gone(ctx context.Context, found *restored) (bool, error) {
	if e.main == nil || e.Repo.Stands() {
		return false, nil
	}
	there, err := e.main.Repo.Worktrees.At(ctx, e.Repo.Root())
	if err != nil {
		return false, fmt.Errorf("looking for the working tree of %s: %w", e.task, err)
	}
	if there == nil || there.GitDir() != e.Repo.GitDir() {
		found.add(machine.Important, "the working tree of "+e.task+" was removed while an agent was at work in it",
			"what had been done there is gone; the tree is made anew, and no attempt is spent before the third time", "")
		return true, nil
	}
	found.add(machine.Important, "the agent removed or replaced the link of its working tree to the repository; it was put back", "the files stayed as they are", "")
	return false, nil
}
