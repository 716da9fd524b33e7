package autopilot

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/spec"
)

// draftSuffix marks a plan that is not finished: it is never taken for the phase's plan.
const draftSuffix = ".draft.md"

// PlanPlace is where a human's plan of the current phase belongs, relative to the working tree: the plan that is there,
// else the name that a new one should take. Draft is where an unfinished one lies.
func (e *Engine) PlanPlace(ctx context.Context) (place, draft string, err error) {
	p := e.phase()
	place = orElse(p.PlanPath, e.suggestedPlan(p))
	found, err := e.candidates(ctx, p)
	if err == nil && len(found) == 1 && p.PlanPath == "" {
		place = found[0]
	}
	return place, strings.TrimSuffix(place, ".md") + draftSuffix, err
}

// Planning refuses where the session has no use for a human's plan now.
func (e *Engine) Planning() error {
	s := e.state()
	if s.CurrentState == machine.Plan || s.CurrentState == machine.ApprovePlan || s.CurrentState == machine.Assess {
		return nil
	}
	return usage("the session is in %s, where no plan is made. At a question that offers revise, answer that first", s.CurrentState)
}

// PlanTemplate is a plan to fill in: the parts that a plan has, with the phase's text to work from.
func (e *Engine) PlanTemplate() string {
	s, p := e.state(), e.phase()
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n**Spec:** %s\n\n<!--\nPhase %s, as the spec has it:\n\n%s\n-->\n\n## Goal\n\n\n\n## Tasks\n\n", p.Name, s.SpecPath, p.Number,
		strings.ReplaceAll(strings.TrimSpace(e.phaseText(p)), "-->", "-- >"))
	b.WriteString("### Task 1: \n\n**Depends on:** none | **Files:** path/to/file | **Validation:** `command that shows it`\n\n1. \n")
	return b.String()
}

// Draft has the planner write a first version of the current phase's plan, for a human to work on. It counts towards
// the session's usage, and changes nothing else of its state.
func (e *Engine) Draft(ctx context.Context, file string) error {
	persona := e.Personas.For(personas.Planner, personas.Work)
	backend, name, err := e.Backends.For(persona)
	if err != nil {
		return err
	}
	out, err := e.aside(ctx, "draft", func(b *personas.Brief) {
		b.PlanSuggestedPath = file
		b.Notes = append(b.Notes, "This is a draft for a human, who makes the final plan. Say in your concerns what you were not sure of.")
	}, func(d personas.Dispatch) (personas.Outcome, error) {
		out, err := backend.Dispatch(ctx, d)
		if err != nil {
			return out, fmt.Errorf("backend %s: %w", name, err)
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	if err := e.stopAfter(out, name); err != nil {
		return err
	}
	if out.Reply == nil {
		return fmt.Errorf("the planner made no draft: %s %s", out.Kind, out.Detail)
	}
	if !e.exists(file) {
		return fmt.Errorf("the planner made no draft at %s; it says: %s", file, out.Reply.Summary)
	}
	for _, concern := range out.Reply.Concerns {
		e.note("info", "The planner is not sure: "+concern)
	}
	return nil
}

// Together has a person make the plan together with an agent program in its own interactive mode: start runs it, with
// the phase's brief as its prompt, until the person leaves it.
func (e *Engine) Together(ctx context.Context, file string, start func(personas.Dispatch) error) error {
	_, err := e.aside(ctx, "interactive", func(b *personas.Brief) {
		b.PlanSuggestedPath = file
		b.Notes = append(b.Notes, "A human is at the terminal: here you may ask, and the plan is made together. No reply file is needed.")
	}, func(d personas.Dispatch) (personas.Outcome, error) { return personas.Outcome{}, start(d) })
	return err
}

// aside runs the planner beside the state machine. It counts towards the session's usage; what it did to the repository
// besides the plan is put right as after any dispatch.
func (e *Engine) aside(ctx context.Context, purpose string, change func(*personas.Brief), run func(personas.Dispatch) (personas.Outcome, error)) (personas.Outcome, error) {
	s := e.state()
	persona := e.Personas.For(personas.Planner, personas.Work)
	step := machine.Step{State: s.CurrentState, Name: machine.StepPlan, Persona: "planner", Purpose: purpose, Phase: s.CurrentPhase + 1, Attempt: 1}
	d, err := e.prepareFor(ctx, step, persona, change)
	if err != nil {
		return personas.Outcome{}, err
	}
	w, err := e.watch(ctx, d, persona)
	if err != nil {
		return personas.Outcome{}, err
	}
	if err := e.Seal.Mark(); err != nil {
		return personas.Outcome{}, err
	}
	if err := e.apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{Dispatches: 1}}); err != nil {
		return personas.Outcome{}, err
	}
	e.note("dispatch", "planner dispatched ("+purpose+")")
	out, ran := run(d)
	ctx = context.WithoutCancel(ctx)
	found, err := e.settle(ctx, w, persona)
	if err != nil {
		return out, errors.Join(ran, err)
	}
	e.tellFindings(found.findings)
	return out, errors.Join(ran, e.keep(step, d.ID, out))
}

// CheckPlan reads a plan as the run would, and says what is wrong with it.
func CheckPlan(path string, src []byte) (*spec.Plan, error) {
	plan, err := spec.ParsePlan(src)
	if err != nil {
		return nil, &UsageError{Message: fmt.Sprintf("%s: %v", filepath.ToSlash(path), err), Err: err}
	}
	return plan, nil
}
