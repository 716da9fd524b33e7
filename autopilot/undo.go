package autopilot

import (
	"context"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/spec"
)

// undo takes back what a persona may not change: plans that are not its own, and of one that may only read whatever it
// changed. Other files that git did not know before are by-products of commands: they stay, and are never committed.
func (e *Engine) undo(ctx context.Context, w watch, persona personas.Persona, found *settled) error {
	dirt, err := e.Repo.Dirt(ctx)
	if err != nil {
		return err
	}
	reads := !persona.Allows(personas.MayWrite)
	var fresh []string
	for _, c := range dirt {
		switch {
		case slices.Contains(w.Dirty, c.Path):
		case e.isPlan(c.Path):
			if !e.mayPlan(w, persona, c.Path, c.Untracked) {
				fresh = append(fresh, git.Paths([]change{c})...)
			}
		case reads && c.Untracked:
			found.byProducts = append(found.byProducts, c.Path)
		case reads:
			fresh = append(fresh, git.Paths([]change{c})...)
		}
	}
	altered, err := e.alteredBy(w, persona)
	if err != nil || len(fresh)+len(altered) == 0 {
		return err
	}
	return e.takeBack(ctx, w, fresh, altered, found)
}

// alteredBy lists what a persona changed, and may not change, of the files that were uncommitted before.
func (e *Engine) alteredBy(w watch, persona personas.Persona) ([]string, error) {
	deleted, altered, err := e.Repo.Altered(w.Saved.Files)
	if err != nil {
		return nil, err
	}
	s, reads := e.state(), !persona.Allows(personas.MayWrite)
	mine := func(path string) bool { return slices.Contains(s.LeftOut, path) }
	altered = slices.DeleteFunc(altered, func(path string) bool { // what commands leave behind they may write again
		if e.isPlan(path) {
			return mine(path) || e.mayPlan(w, persona, path, false)
		}
		return !reads || mine(path) || slices.Contains(s.ByProducts, path)
	})
	for _, path := range deleted {
		if e.isPlan(path) && !mine(path) && !e.mayPlan(w, persona, path, false) {
			altered = append(altered, path)
		}
	}
	return altered, nil
}

// mayPlan says whether a persona may leave a plan as it did. A planner may leave new ones, and change that of its own
// phase; an executor one that its plan announces, where it is that of no phase.
func (e *Engine) mayPlan(w watch, persona personas.Persona, file string, isNew bool) bool {
	s := e.state()
	taken := slices.ContainsFunc(s.Phases, func(p machine.Phase) bool { return p.PlanPath == file })
	if !persona.Allows(personas.MayPlan) || w.Phase == 0 {
		return !taken && persona.Allows(personas.MayWrite) && announced(s.Tasks, file)
	}
	p := s.Phases[w.Phase-1]
	_, stood := p.Planning.Stood[file]
	switch {
	case isNew || file == p.PlanPath:
		return true
	case taken:
		return false
	}
	named := (&spec.Plan{}).Fits(file, s.SpecPath, spec.Phase{Number: p.Number, Name: p.Name}) // its text is the planner's word
	return named || p.Planning.Stood != nil && !stood
}

// takeBack puts files back, or takes them away where there were none. What was there is kept under a ref.
func (e *Engine) takeBack(ctx context.Context, w watch, fresh, altered []string, found *settled) error {
	kept := e.ref("undone/" + w.ID + "/files")
	if _, err := e.Repo.ResetTo(ctx, w.Base, fresh, kept); err != nil {
		return err
	}
	if len(altered) > 0 { // without any, nothing may have been saved either
		if _, err := e.Repo.SaveTree(ctx, kept, "what a persona changed that it may not change", altered); err != nil {
			return err
		}
		if err := e.Repo.RestorePaths(ctx, w.Saved.Ref, altered); err != nil {
			return err
		}
	}
	for _, path := range append(fresh, altered...) {
		title := "a persona that may only read changed a file; it was put back"
		if e.isPlan(path) && e.exists(path) {
			title = "the agent changed a plan that is not its own; it was put back"
		} else if e.isPlan(path) {
			title = "the agent left a plan, and is not the one who plans; it was taken away"
		}
		found.add(machine.Important, title, "what it wrote is kept under "+kept, path)
	}
	return nil
}
