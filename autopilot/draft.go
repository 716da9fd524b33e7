package autopilot

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/personas"
	"autopilot/spec"
)

// Planning finds the phase whose plan a human wants to make, as an index: the one of that number as the spec writes it,
// else the one that is planned next. It refuses one that is past the approval of its plan.
func (e *Engine) Planning(number string) (int, error) {
	s := e.Journal.State()
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
	return 0, halt.Usage("the session is in %s, where no plan is made. At a question that offers revise, answer that first; for a phase to come add --phase N", s.CurrentState)
}

// HumansPlan says whether the plan of a phase, an index, is a human's to make.
func (e *Engine) HumansPlan(at int) bool {
	p := e.Journal.State().Phases[at]
	return p.Complexity == machine.High || p.PlanWanted
}

// Approving says whether a phase, an index, has a plan that waits for approval: an edited one is weighed again.
func (e *Engine) Approving(at int) bool {
	s := e.Journal.State()
	return at == s.CurrentPhase && s.CurrentState == machine.ApprovePlan
}

// Bring records that the plan of a phase, an index, is there and is a human's choice, at a path relative to the working
// tree; without one, that a human wants to make it. The run that comes to the phase takes it.
func (e *Engine) Bring(at int, path, by string) error {
	defer e.Journal.Settle()
	stood, err := e.stood()
	if err != nil {
		return err
	}
	return e.Journal.Apply(machine.Event{Type: machine.PlanBrought, Phase: at + 1, Detail: path, By: by, Stood: stood})
}

// PlanPlace is where a human's plan of a phase, an index, belongs, relative to the working tree: the plan that is there,
// else the name that a new one should take. Draft is where an unfinished one lies.
func (e *Engine) PlanPlace(at int) (place, draft string, err error) {
	s := e.Journal.State()
	p := s.Phases[at]
	place = p.PlanPath
	if place == "" && at == s.CurrentPhase && s.CurrentState == machine.Plan {
		found, err := e.candidates(p)
		if err != nil {
			return "", "", err
		}
		if len(found.plans) == 1 {
			place = found.plans[0]
		}
	}
	if place == "" {
		place = e.begun(p)
	}
	return place, strings.TrimSuffix(place, ".md") + draftSuffix, nil
}

// begun is the plan that the draft of a phase is to become, where one was begun on an earlier day; else the plan that
// is suggested today.
func (e *Engine) begun(p machine.Phase) string {
	dir := e.planDirs()[0]
	drafts, _ := fs.Glob(os.DirFS(filepath.Join(e.Repo.Root(), filepath.FromSlash(dir))), "*-"+spec.PhaseSlug(p.Name)+"-plan"+draftSuffix)
	if suggested := e.suggestedPlan(p); len(drafts) == 0 || e.exists(suggested) {
		return suggested
	}
	return path.Join(dir, strings.TrimSuffix(drafts[len(drafts)-1], draftSuffix)+".md")
}

// PlanTemplate is a plan of a phase, an index, to fill in: the parts that a plan has, with the phase's text to work from.
func (e *Engine) PlanTemplate(at int) string {
	s := e.Journal.State()
	p := s.Phases[at]
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n**Spec:** %s\n\n<!--\nPhase %s, as the spec has it:\n\n%s\n-->\n\n## Goal\n\n\n\n## Tasks\n\n", p.Name, s.SpecPath, p.Number,
		strings.ReplaceAll(strings.TrimSpace(e.phaseText(p)), "-->", "-- >"))
	b.WriteString("### Task 1: \n\n**Depends on:** none | **Files:** path/to/file | **Validation:** `command that shows it`\n\n1. \n")
	return b.String()
}

// Draft has the planner write a first version of the plan of a phase, an index, for a human to work on. It counts towards
// the session's usage and its budgets, and changes nothing else of its state.
func (e *Engine) Draft(ctx context.Context, at int, file string) error {
	defer e.Journal.Settle()
	persona := e.Personas.For(personas.Planner, personas.Work)
	backend, name, err := e.player(persona)
	if err != nil {
		return err
	}
	out, err := e.aside(ctx, at, purposeDraft, func(b *personas.Brief) {
		b.PlanSuggestedPath, b.Submits = file, personas.Submits(backend)
		b.Notes = append(b.Notes, "This is a draft for a human, who makes the final plan. Say in your concerns what you were not sure of.")
	}, func(d personas.Dispatch) (personas.Outcome, error) {
		limited, end := e.guard(ctx, &d, func() []budget.Budget { return budget.Budgets(e.standingIn(at), e.Settings.Limits, "") }, machine.Event{Phase: at + 1})
		defer end()
		out, err := e.Mask.Dispatch(limited, backend, d)
		if over := budget.Overspent(limited); over != nil && out.Kind != personas.GotReply {
			return out, over
		}
		if err != nil {
			return out, fmt.Errorf("backend %s: %w", name, err)
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	if err := noDraft(ctx, out, name, personas.RemedyOf(backend)); err != nil {
		return err
	}
	if !e.exists(file) {
		return fmt.Errorf("the planner made no draft at %s; it says: %s", file, out.Reply.Summary)
	}
	for _, concern := range out.Reply.Concerns {
		e.Journal.Note("info", "The planner is not sure: "+concern)
	}
	return nil
}

// noDraft is why a dispatch that was to bring a draft brought no reply; nil is that it did.
func noDraft(ctx context.Context, out personas.Outcome, backend, remedy string) error {
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		return &halt.InterruptedError{Cause: context.Cause(ctx)}
	case out.Kind == personas.RateLimited:
		return fmt.Errorf("%w\nThe same command goes on once it is over", budget.Limited(out, backend))
	case out.Kind == personas.Auth:
		return refused(out, backend, remedy)
	case out.Reply == nil:
		return fmt.Errorf("the planner made no draft: %s: %s\nThe same command tries again", strings.ReplaceAll(string(out.Kind), "_", " "), out.Detail)
	}
	return nil
}

// Together has a person make the plan of a phase, an index, together with an agent program in its own interactive mode:
// start runs it, with the phase's brief as its prompt, until the person leaves it. It returns the plans that are new or
// changed since.
func (e *Engine) Together(ctx context.Context, at int, file string, start func(personas.Dispatch) error) ([]string, error) {
	defer e.Journal.Settle()
	before, err := e.stood()
	if err != nil {
		return nil, err
	}
	_, err = e.aside(ctx, at, purposeInteractive, func(b *personas.Brief) {
		b.PlanSuggestedPath = file
		b.Notes = append(b.Notes, "A human is at the terminal: here you may ask, and the plan is made together. No reply file is needed.")
	}, func(d personas.Dispatch) (personas.Outcome, error) { return personas.Outcome{}, start(d) })
	if err != nil {
		return nil, err
	}
	now, err := e.stood()
	maps.DeleteFunc(now, func(file, sum string) bool { return before[file] == sum })
	return slices.Sorted(maps.Keys(now)), err
}

// CheckPlan reads a plan as the run would, and says what is wrong with it: also what a run would ask about.
func CheckPlan(path string, src []byte) (*spec.Plan, error) {
	plan, err := spec.ParsePlan(src)
	if err == nil && len(plan.Unknown) > 0 {
		err = &spec.ParseError{Problems: plan.Unknown}
	}
	if err == nil {
		if hindrances := machine.Hindrances(facts(path, plan).Tasks); len(hindrances) > 0 {
			err = fmt.Errorf("%s. Remove one of these dependencies", strings.Join(hindrances, "; "))
		}
	}
	if err != nil {
		return nil, &halt.UsageError{Message: fmt.Sprintf("%s: %v", filepath.ToSlash(path), err), Err: err}
	}
	return plan, nil
}
