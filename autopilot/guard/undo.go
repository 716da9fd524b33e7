package guard

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
	"autopilot/spec"
)

// undo takes back what a persona may not change: plans that are not its own, and of one that may only read whatever it
// changed or left. Only what git cannot save stays, as a by-product.
func (g Guard) undo(ctx context.Context, w Snapshot, persona personas.Persona, found *Found) error {
	status, err := g.Repo.Tree.Status(ctx)
	if err != nil {
		return err
	}
	reads, s := !persona.Allows(personas.MayWrite), g.Journal.State()
	var t taken
	for _, c := range status.Dirt {
		switch {
		case slices.Contains(w.Dirty, c.Path), g.SinceEnded(w, c.Path):
		case g.Plans.IsPlan(c.Path):
			if !g.mayPlan(w, persona, c.Path, c.Untracked) {
				t.fresh = append(t.fresh, git.Paths([]git.Change{c})...)
			}
		case reads && c.Untracked && slices.Contains(slices.Concat(s.ByProducts, s.LeftOut), c.Path):
		case reads && c.Untracked && persona.Allows(personas.MayPlan) && g.Plans.IsDraft(c.Path):
			found.ByProducts = append(found.ByProducts, c.Path)
		case reads && c.Untracked:
			t.appeared = append(t.appeared, c.Path)
		case reads:
			t.fresh = append(t.fresh, git.Paths([]git.Change{c})...)
		}
	}
	if t.altered, err = g.alteredBy(w, persona); err != nil {
		return err
	}
	if reads {
		found.ByProducts = append(found.ByProducts, changes.NewIn(status.Nested, append(s.ByProducts, w.Nested...))...)
	}
	return g.takeBack(ctx, w, persona, t, found)
}

// alteredBy lists what a persona changed, and may not change, of the files that were uncommitted before.
func (g Guard) alteredBy(w Snapshot, persona personas.Persona) ([]string, error) {
	deleted, altered, err := g.Repo.Files.Altered(w.Saved.Files)
	if err != nil {
		return nil, err
	}
	s, reads := g.Journal.State(), !persona.Allows(personas.MayWrite)
	mine := func(path string) bool { return slices.Contains(s.LeftOut, path) }
	altered = slices.DeleteFunc(altered, func(path string) bool { // what commands leave behind they may write again
		if g.SinceEnded(w, path) {
			return true
		}
		if g.Plans.IsPlan(path) {
			return mine(path) || g.mayPlan(w, persona, path, false)
		}
		return !reads || mine(path) || g.Changes.IsByProduct(path, s.Tasks)
	})
	for _, path := range deleted {
		if g.Plans.IsPlan(path) && !mine(path) && !g.mayPlan(w, persona, path, false) {
			altered = append(altered, path)
		}
	}
	return altered, nil
}

// SinceEnded says whether a file was written after nothing was left of a dispatch whose run was killed: by a person.
func (g Guard) SinceEnded(w Snapshot, path string) bool {
	return !w.Ended.IsZero() && plainfile.ChangedAfter(workspace.InTree(g.Repo.Root(), path), w.Ended)
}

// mayPlan says whether a persona may leave a plan as it did. A planner may leave new ones, but no other phase's, and
// change that of its own phase, unless it makes a draft; an executor one that its plan announces, where it is that of no
// phase.
func (g Guard) mayPlan(w Snapshot, persona personas.Persona, file string, isNew bool) bool {
	s := g.Journal.State()
	taken := slices.ContainsFunc(s.Phases, func(p machine.Phase) bool { return p.PlanPath == file })
	if !persona.Allows(personas.MayPlan) || w.Phase == 0 {
		return !taken && persona.Allows(personas.MayWrite) && changes.Announced(s.Tasks, file)
	}
	p := s.Phases[w.Phase-1]
	_, stood := p.Planning.Stood[file]
	switch {
	case w.Task == PurposeDraft:
		return isNew && !taken && !g.Plans.FitsOnlyAnother(w.Phase-1, file)
	case file == p.PlanPath:
		return true
	case isNew:
		return !g.Plans.FitsOnlyAnother(w.Phase-1, file)
	case taken:
		return false
	}
	return spec.Phase{Name: p.Name}.NamesFile(file) || p.Planning.Stood != nil && !stood
}

// taken is what is to be taken back after a dispatch.
type taken struct {
	fresh    []string // changed, and clean before; plans that were not there
	altered  []string // changed, and uncommitted before
	appeared []string // not there before
}

// takeBack puts files back, or takes them away where there were none. What was there is kept under a ref.
func (g Guard) takeBack(ctx context.Context, w Snapshot, persona personas.Persona, t taken, found *Found) error {
	changed := slices.Concat(t.fresh, t.altered)
	all := slices.Concat(changed, t.appeared)
	if len(all) == 0 {
		return nil
	}
	found.moved = true
	saved, err := g.Repo.Files.Save(ctx, g.ref("undone/"+w.ID+"/files"), "what a persona changed that it may not change", all)
	if err != nil {
		return err
	}
	for _, f := range saved.LeftOut {
		left := f.Path
		if slices.Contains(changed, f.Path) {
			if left, err = g.Repo.Files.MoveAside(f.Path); err != nil {
				return fmt.Errorf("moving aside what is too large to be saved: %w", err)
			}
		}
		found.ByProducts = append(found.ByProducts, left)
	}
	appeared := slices.DeleteFunc(slices.Clone(saved.Files), func(f git.File) bool { return !slices.Contains(t.appeared, f.Path) })
	if err := g.takeAway(appeared, saved.Ref, persona); err != nil {
		return err
	}
	if _, err := g.Repo.Files.Reset(ctx, w.Base, t.fresh, ""); err != nil {
		return err
	}
	if len(t.altered) > 0 { // without any, nothing may have been saved before either
		if err := g.Repo.Files.Restore(ctx, w.Saved.Ref, t.altered); err != nil {
			return err
		}
	}
	kept := ""
	if saved.Ref != "" {
		kept = "what it wrote is kept under " + saved.Ref
	}
	for _, path := range changed {
		title := "a persona that may only read changed a file; it was put back"
		if g.Plans.IsPlan(path) && g.exists(path) {
			title = "the agent changed a plan that is not its own; it was put back"
		} else if g.Plans.IsPlan(path) && persona.Allows(personas.MayPlan) {
			title = "the planner left the plan of another phase; it was taken away"
		} else if g.Plans.IsPlan(path) && persona.Name == personas.Planner {
			title = "only an outline was wanted, and the planner left a plan; it was taken away"
		} else if g.Plans.IsPlan(path) {
			title = "the agent left a plan, and is not the one who plans; it was taken away"
		}
		found.add(machine.Important, title, kept, path)
	}
	return nil
}
