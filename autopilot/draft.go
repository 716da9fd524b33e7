package autopilot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

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
	backend, name, err := e.attempts().Player(persona)
	if err != nil {
		return err
	}
	out, err := e.aside(ctx, at, purposeDraft, func(b *personas.Brief) {
		b.PlanSuggestedPath, b.Submits = file, personas.Submits(backend)
		b.Notes = append(b.Notes, "This is a draft for a human, who makes the final plan. Say in your concerns what you were not sure of.")
	}, func(d personas.Dispatch) (personas.Outcome, error) {
		limited, end := e.attempts().LimitSpending(ctx, &d, func() []budget.Budget { return budget.Budgets(e.standingIn(at), e.Settings.Limits, "") }, machine.Event{Phase: at + 1})
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
	if err := dispatch.NoDraft(ctx, out, name, personas.RemedyOf(backend)); err != nil {
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

// Together has a person make the plan of a phase, an index, together with an agent program in its own interactive mode:
// start runs it, with the phase's brief as its prompt, until the person leaves it. It returns the plans that are new or
// changed since.
func (e *Engine) Together(ctx context.Context, at int, file string, start func(personas.Dispatch) error) ([]string, error) {
	defer e.Journal.Settle()
	before, err := e.Plans().Stood()
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
	now, err := e.Plans().Stood()
	maps.DeleteFunc(now, func(file, sum string) bool { return before[file] == sum })
	return slices.Sorted(maps.Keys(now)), err
}
