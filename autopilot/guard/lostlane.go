package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// Restore puts right what a dispatch did, also where its lane's working tree is gone.
func (g Guard) Restore(ctx context.Context, w Snapshot, persona personas.Persona) (found Found, err error) {
	var told Found
	if err := g.removeLinks(w, &told); err != nil {
		return told, err
	}
	lost, err := g.gone(ctx, &told)
	if err != nil {
		return told, err
	}
	if !lost {
		found, err = g.restore(ctx, w, persona)
	} else if w.ID != "" {
		w.Control = maps.Clone(w.Control)
		for path := range w.Control { // what lay in the tree comes back with it
			if strings.HasPrefix(path, g.Repo.Root()+string(filepath.Separator)) {
				err = errors.Join(err, workspace.Remember(w.Control, path))
			}
		}
		err = errors.Join(err, g.restoreSteering(ctx, w, &found), g.restoreControl(w, persona, &found), g.restoreRefs(ctx, w, &found))
	}
	found.Findings = append(told.Findings, found.Findings...)
	found.Lost = lost
	return found, err
}

// restoreRefs puts back the refs that were moved until the working tree was gone.
func (g Guard) restoreRefs(ctx context.Context, w Snapshot, found *Found) error {
	if err := g.Facts.IgnoreMoves(ctx, &w.Guard, &w.Moves); err != nil {
		return err
	}
	kept := g.ref("undone/" + w.ID)
	deviation, err := refs.Of(g.Home).PutRefsBack(ctx, w.Guard, kept)
	if err != nil {
		return err
	}
	for _, what := range deviation.Shared {
		severity, who := g.AtWork.blame(w.ID)
		found.add(severity, who+" "+what, "it was put back; what was there is kept under "+kept, "")
	}
	found.Findings = append(found.Findings, workspace.TellLeft(deviation.Left, kept)...)
	return g.Facts.AddPutBack(ctx, deviation.Refs)
}

// gone says whether a lane's working tree is no more, when its dispatch ends. One that only lost its link is mended.
func (g Guard) gone(ctx context.Context, found *Found) (bool, error) {
	if g.Lane == "" || g.Repo.Stands() {
		return false, nil
	}
	there, err := g.Home.Worktrees.At(ctx, g.Repo.Root())
	if err != nil {
		return false, fmt.Errorf("looking for the working tree of %s: %w", g.Lane, err)
	}
	if there == nil || there.GitDir() != g.Repo.GitDir() {
		found.add(machine.Important, "the working tree of "+g.Lane+" was removed while an agent was at work in it",
			"what had been done there is gone; the tree is made again, and no attempt is spent before the third time", "")
		return true, nil
	}
	found.add(machine.Important, "the agent removed or replaced the link of its working tree to the repository; it was put back", "the files stayed as they are", "")
	return false, nil
}
