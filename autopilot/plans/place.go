package plans

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/spec"
)

// Planning finds the phase whose plan a human wants to make, as an index: the one of that number as the spec writes it,
// else the one that is planned next. It refuses one that is past the approval of its plan.
func (ps Plans) Planning(number string) (int, error) {
	s := ps.Journal.State()
	at := s.CurrentPhase
	if number != "" {
		at = slices.IndexFunc(s.Phases, func(p machine.Phase) bool { return strings.EqualFold(p.Number, strings.TrimSpace(number)) })
		if at < 0 {
			return 0, halt.Usage("there is no phase %q; autopilot phases %s lists them", number, shell.QuotePath(s.SpecPath))
		}
	} else if s.CurrentState == machine.PhaseComplete {
		at = slices.IndexFunc(s.Phases, func(p machine.Phase) bool { return p.Status == machine.PhasePending })
	}
	early := slices.Contains([]machine.Name{machine.Init, machine.Assess, machine.Plan, machine.ApprovePlan}, s.CurrentState)
	switch {
	case at == s.CurrentPhase && early, at >= 0 && at != s.CurrentPhase && s.Phases[at].Status == machine.PhasePending:
		return at, nil
	case at >= 0 && at != s.CurrentPhase:
		return 0, halt.Usage("phase %s is %s: its plan has been run. To do it again: autopilot phases %s redo %s", s.Phases[at].Number, s.Phases[at].Status, shell.QuotePath(s.SpecPath), s.Phases[at].Number)
	}
	return 0, halt.Usage("no plan is wanted now\nFor a later phase add --phase N. To change a plan, answer revise at a question that offers it")
}

// HumansPlan says whether the plan of a phase, an index, is a human's to make.
func (ps Plans) HumansPlan(at int) bool {
	p := ps.Journal.State().Phases[at]
	return p.Complexity == machine.High || p.PlanWanted
}

// Approving says whether a phase, an index, has a plan that waits for approval: an edited one is weighed again.
func (ps Plans) Approving(at int) bool {
	s := ps.Journal.State()
	return at == s.CurrentPhase && s.CurrentState == machine.ApprovePlan
}

// Place is where a human's plan of a phase, an index, belongs, relative to the working tree: the plan that is there,
// else the name that a new one should take. Draft is where an unfinished one lies.
func (ps Plans) Place(at int) (place, draft string, err error) {
	s := ps.Journal.State()
	p := s.Phases[at]
	place = p.PlanPath
	if place == "" && at == s.CurrentPhase && s.CurrentState == machine.Plan {
		found, err := ps.candidates(p)
		if err != nil {
			return "", "", err
		}
		if len(found.plans) == 1 {
			place = found.plans[0]
		}
	}
	if place == "" {
		place = ps.begun(p)
	}
	return place, draftOf(place), nil
}

// draftOf is where a plan lies while it is not finished.
func draftOf(place string) string { return strings.TrimSuffix(place, ".md") + draftSuffix }

// begun is the plan that the draft of a phase is to become, where one was begun on an earlier day; else the plan that
// is suggested today.
func (ps Plans) begun(p machine.Phase) string {
	dir := ps.Dirs()[0]
	drafts, _ := fs.Glob(os.DirFS(filepath.Join(ps.Root, filepath.FromSlash(dir))), "*-"+spec.PhaseSlug(p.Name)+"-plan"+draftSuffix)
	if suggested := ps.Suggested(p); len(drafts) == 0 || ps.exists(suggested) {
		return suggested
	}
	return path.Join(dir, strings.TrimSuffix(drafts[len(drafts)-1], draftSuffix)+".md")
}
