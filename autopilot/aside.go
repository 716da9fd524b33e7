package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"autopilot/autopilot/attempts"
	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
	"autopilot/autopilot/shell"
	"autopilot/personas"
)

// Asides are the dispatches of the planner beside the states.
type Asides struct {
	journal  *journal.Journal
	root     string
	personas personas.Set
	mask     *personas.Mask
	limits   budget.Limits
	killSeen func()
	atWork   *guard.AtWork
	attempts attempts.Attempts
	guard    guard.Guard
	plans    plans.Plans
	starting starting
	old      adoption
}

// What a planner is dispatched for beside the states.
const (
	purposeDraft       = guard.PurposeDraft
	purposeInteractive = "interactive"
)

// aside runs the planner beside the state machine, for a phase that is given as an index. It counts towards the
// session's usage and budgets; what it did to the repository besides the plan is put right as after any dispatch.
func (as Asides) aside(ctx context.Context, at int, purpose string, change func(*personas.Brief), run func(personas.Dispatch) (personas.Outcome, error)) (personas.Outcome, error) {
	if err := as.guard.Repo.Config.Pin(ctx); err != nil {
		return personas.Outcome{}, err
	}
	s := as.journal.State()
	if err := as.attempts.WithinBudget(as.standingIn(at), ""); err != nil {
		return personas.Outcome{}, err
	}
	persona := as.personas.For(personas.Planner, personas.Work)
	step := machine.Step{State: s.CurrentState, Name: machine.StepPlan, Persona: "planner", Purpose: purpose, Phase: at + 1, Attempt: s.Phases[at].Dispatches[purpose] + 1}
	d, err := as.attempts.Prepare(ctx, step, persona, change)
	if err != nil {
		return personas.Outcome{}, err
	}
	w, err := as.guard.Capture(git.Still(ctx), d, persona)
	if err != nil {
		return personas.Outcome{}, err
	}
	if err := as.atWork.Mark(d.ID); err != nil {
		return personas.Outcome{}, err
	}
	if err := as.beginAside(step, w); err != nil {
		return personas.Outcome{}, err
	}
	as.killSeen()
	as.journal.Note("dispatch", "planner dispatched ("+purpose+")")
	out, ran := run(d)
	if err := as.endAside(context.WithoutCancel(ctx), w, persona, purpose == purposeInteractive); err != nil {
		return out, errors.Join(ran, err)
	}
	return out, errors.Join(ran, as.attempts.Keep(step, d.ID, out))
}

// beginAside journals the dispatch with what the folders for plans hold: what it leaves there is known by that, also
// after a kill.
func (as Asides) beginAside(step machine.Step, w guard.Snapshot) error {
	stood, err := as.plans.Stood()
	if err != nil {
		return err
	}
	return as.journal.Apply(machine.Event{
		Type: machine.Used, Usage: &machine.Usage{Dispatches: 1}, Phase: step.Phase, Stood: stood, Snapshots: w.Named(),
		Dispatch: &machine.Dispatch{ID: w.ID, Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt},
	})
}

// EndAside ends a dispatch beside the states whose program was killed: what it did is put right, and what it left in
// the folders for plans is recorded before anybody is asked for a plan.
func (as Asides) EndAside(ctx context.Context) error {
	aside := as.journal.State().Aside
	if aside == nil {
		return nil
	}
	if as.starting.movedSinceKilled() {
		if err := as.starting.onBranch(ctx, as.journal.State()); err != nil {
			return err
		}
	}
	if err := as.starting.takeUp(ctx); err != nil {
		return err
	}
	if err := as.old.adoptNotes(ctx); err != nil {
		return err
	}
	persona := as.personas.For(personas.Planner, personas.Work)
	w, err := as.guard.Last(ctx, aside.Dispatch.ID)
	if err == nil {
		err = as.guard.Accept(ctx, &w, persona)
	}
	if err != nil {
		return fmt.Errorf("reading what the repository was before the planner worked: %w", err)
	}
	w.Unclear = w.Ended.IsZero()
	return as.endAside(context.WithoutCancel(ctx), w, persona, false)
}

// endAside puts right what a dispatch beside the states did, and records what it left in the folders for plans: nobody's
// plan, unless a person was with it.
func (as Asides) endAside(ctx context.Context, w guard.Snapshot, persona personas.Persona, accompanied bool) error {
	aside := *as.journal.State().Aside
	found, err := as.guard.Restore(ctx, w, persona)
	as.atWork.Unmark(aside.Dispatch.ID)
	if err != nil {
		return err
	}
	journal.TellFindings(as.journal.Report, found.Findings)
	if left := slices.DeleteFunc(found.ByProducts, as.plans.IsDraft); len(left) > 0 {
		as.journal.Note("info", "Left behind, and not taken away: "+journal.Ignorable(left))
	}
	left, err := as.plans.Stood()
	if err != nil {
		return err
	}
	maps.DeleteFunc(left, func(file, sum string) bool {
		return accompanied || aside.Stood[file] == sum || as.guard.SinceEnded(w, file)
	})
	return as.recordLeft(left, aside)
}

// recordLeft ends a dispatch beside the states in the journal. The plans that it left are named, each with the command
// that takes it.
func (as Asides) recordLeft(left machine.Stood, aside machine.Aside) error {
	s, which := as.journal.State(), ""
	if at := aside.Phase - 1; at != s.CurrentPhase && at < len(s.Phases) {
		which = " --phase " + shell.QuoteWord(s.Phases[at].Number)
	}
	for _, file := range slices.Sorted(maps.Keys(left)) {
		as.journal.Note("warning", fmt.Sprintf("The planner left %s, which does not count as your plan. To use it: autopilot plan %s --file %s%s",
			file, shell.QuotePath(s.SpecPath), shell.QuotePath(file), which))
	}
	end := machine.Event{Type: machine.AsideEnded}
	if len(left) > 0 {
		end.Stood = maps.Clone(left)
		for file, sum := range as.journal.Phase().Planning.Stood {
			end.Stood[file] = cmp.Or(left[file], sum)
		}
	}
	return as.journal.Apply(end)
}

// standingIn is the state as it would be in PLAN of a phase, an index: what is planned ahead counts to that phase.
func (as Asides) standingIn(at int) machine.State {
	s := as.journal.State()
	s.CurrentState, s.CurrentPhase = machine.Plan, at
	return s
}

// markdownComments would end the comment of the template that has the phase's text.
var markdownComments = lazyregexp.New(`(?s)<!--.*?-->\n*|-->`)

// PlanTemplate is a plan of a phase, an index, to fill in: the parts that a plan has, with the phase's text to work from.
func (as Asides) PlanTemplate(at int) string {
	s := as.journal.State()
	p := s.Phases[at]
	var b strings.Builder
	fmt.Fprintf(&b, "# Plan: %s\n\n**Spec:** %s\n\n<!--\nPhase %s, as the spec has it:\n\n%s\n-->\n\n## Goal\n\n\n\n## Tasks\n\n", p.Name, s.SpecPath, p.Number,
		strings.TrimSpace(markdownComments.ReplaceAllString(as.starting.phaseText(p), "")))
	b.WriteString("### Task 1: \n\n**Depends on:** none | **Files:** path/to/file | **Validation:** `command that shows it`\n\n1. \n")
	return b.String()
}

// Draft has the planner write a first version of the plan of a phase, an index, for a human to work on. It counts towards
// the session's usage and its budgets, and changes nothing else of its state.
func (as Asides) Draft(ctx context.Context, at int, file string) error {
	persona := as.personas.For(personas.Planner, personas.Work)
	backend, name, err := as.attempts.Player(persona)
	if err != nil {
		return err
	}
	out, err := as.aside(ctx, at, purposeDraft, func(b *personas.Brief) {
		b.PlanSuggestedPath, b.Submits = file, personas.Submits(backend)
		b.Notes = append(b.Notes, "This is a draft for a human, who makes the final plan. Say in your concerns what you were not sure of.")
	}, func(d personas.Dispatch) (personas.Outcome, error) {
		limited, end := as.attempts.LimitSpending(ctx, &d, func() []budget.Budget { return budget.Budgets(as.standingIn(at), as.limits, "") }, machine.Event{Phase: at + 1})
		defer end()
		out, err := as.mask.Dispatch(limited, backend, d)
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
	if !exists(as.root, file) {
		return fmt.Errorf("the planner made no draft at %s; it says: %s", file, out.Reply.Summary)
	}
	for _, concern := range out.Reply.Concerns {
		as.journal.Note("info", "The planner is not sure: "+concern)
	}
	return nil
}

// Together has a person make the plan of a phase, an index, together with an agent program in its own interactive mode:
// start runs it, with the phase's brief as its prompt, until the person leaves it. It returns the plans that are new or
// changed since.
func (as Asides) Together(ctx context.Context, at int, file string, start func(personas.Dispatch) error) ([]string, error) {
	before, err := as.plans.Stood()
	if err != nil {
		return nil, err
	}
	_, err = as.aside(ctx, at, purposeInteractive, func(b *personas.Brief) {
		b.PlanSuggestedPath = file
		b.Notes = append(b.Notes, "A human is at the terminal: here you may ask, and the plan is made together. No reply file is needed.")
	}, func(d personas.Dispatch) (personas.Outcome, error) { return personas.Outcome{}, start(d) })
	if err != nil {
		return nil, err
	}
	now, err := as.plans.Stood()
	maps.DeleteFunc(now, func(file, sum string) bool { return before[file] == sum })
	return slices.Sorted(maps.Keys(now)), err
}
