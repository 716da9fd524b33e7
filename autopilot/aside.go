package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/personas"
)

// What a planner is dispatched for beside the states.
const (
	purposeDraft       = guard.PurposeDraft
	purposeInteractive = "interactive"
)

// aside runs the planner beside the state machine, for a phase that is given as an index. It counts towards the
// session's usage and budgets; what it did to the repository besides the plan is put right as after any dispatch.
func (e *Engine) aside(ctx context.Context, at int, purpose string, change func(*personas.Brief), run func(personas.Dispatch) (personas.Outcome, error)) (personas.Outcome, error) {
	s := e.Journal.State()
	if err := e.attempts().WithinBudget(e.standingIn(at), ""); err != nil {
		return personas.Outcome{}, err
	}
	persona := e.Personas.For(personas.Planner, personas.Work)
	step := machine.Step{State: s.CurrentState, Name: machine.StepPlan, Persona: "planner", Purpose: purpose, Phase: at + 1, Attempt: s.Phases[at].Dispatches[purpose] + 1}
	d, err := e.attempts().Prepare(ctx, step, persona, change)
	if err != nil {
		return personas.Outcome{}, err
	}
	w, err := e.guard().Capture(git.Still(ctx), d, persona)
	if err != nil {
		return personas.Outcome{}, err
	}
	if err := e.atWork.Mark(d.ID); err != nil {
		return personas.Outcome{}, err
	}
	if err := e.beginAside(step, w); err != nil {
		return personas.Outcome{}, err
	}
	e.KillSeen()
	e.Journal.Note("dispatch", "planner dispatched ("+purpose+")")
	out, ran := run(d)
	if err := e.endAside(context.WithoutCancel(ctx), w, persona, purpose == purposeInteractive); err != nil {
		return out, errors.Join(ran, err)
	}
	return out, errors.Join(ran, e.attempts().Keep(step, d.ID, out))
}

// beginAside journals the dispatch with what the folders for plans hold: what it leaves there is known by that, also
// after a kill.
func (e *Engine) beginAside(step machine.Step, w guard.Snapshot) error {
	stood, err := e.Plans().Stood()
	if err != nil {
		return err
	}
	return e.Journal.Apply(machine.Event{
		Type: machine.Used, Usage: &machine.Usage{Dispatches: 1}, Phase: step.Phase, Stood: stood, Snapshots: w.Named(),
		Dispatch: &machine.Dispatch{ID: w.ID, Persona: step.Persona, Purpose: step.Purpose, Attempt: step.Attempt},
	})
}

// EndAside ends a dispatch beside the states whose program was killed: what it did is put right, and what it left in
// the folders for plans is recorded before anybody is asked for a plan.
func (e *Engine) EndAside(ctx context.Context) error {
	aside := e.Journal.State().Aside
	if aside == nil {
		return nil
	}
	if e.movedSinceKilled() {
		if err := e.onBranch(ctx, e.Journal.State()); err != nil {
			return err
		}
	}
	if err := e.takeUp(ctx); err != nil {
		return err
	}
	if err := e.adoptNotes(ctx); err != nil {
		return err
	}
	persona := e.Personas.For(personas.Planner, personas.Work)
	w, err := e.guard().Last(ctx, aside.Dispatch.ID)
	if err == nil {
		err = e.guard().Accept(ctx, &w, persona)
	}
	if err != nil {
		return fmt.Errorf("reading what the repository was before the planner worked: %w", err)
	}
	w.Unclear = w.Ended.IsZero()
	return e.endAside(context.WithoutCancel(ctx), w, persona, false)
}

// endAside puts right what a dispatch beside the states did, and records what it left in the folders for plans: nobody's
// plan, unless a person was with it.
func (e *Engine) endAside(ctx context.Context, w guard.Snapshot, persona personas.Persona, accompanied bool) error {
	aside := *e.Journal.State().Aside
	found, err := e.guard().Restore(ctx, w, persona)
	e.atWork.Unmark(aside.Dispatch.ID)
	if err != nil {
		return err
	}
	journal.TellFindings(e.Journal.Report, found.Findings)
	if left := slices.DeleteFunc(found.ByProducts, e.Plans().IsDraft); len(left) > 0 {
		e.Journal.Note("info", "Left behind, and not taken away: "+journal.Ignorable(left))
	}
	left, err := e.Plans().Stood()
	if err != nil {
		return err
	}
	maps.DeleteFunc(left, func(file, sum string) bool {
		return accompanied || aside.Stood[file] == sum || e.guard().SinceEnded(w, file)
	})
	return e.recordLeft(left, aside)
}

// recordLeft ends a dispatch beside the states in the journal. The plans that it left are named, each with the command
// that takes it.
func (e *Engine) recordLeft(left machine.Stood, aside machine.Aside) error {
	s, which := e.Journal.State(), ""
	if at := aside.Phase - 1; at != s.CurrentPhase && at < len(s.Phases) {
		which = " --phase " + shell.QuoteWord(s.Phases[at].Number)
	}
	for _, file := range slices.Sorted(maps.Keys(left)) {
		e.Journal.Note("warning", fmt.Sprintf("The planner left %s, which does not count as your plan. To use it: autopilot plan %s --file %s%s",
			file, shell.QuotePath(s.SpecPath), shell.QuotePath(file), which))
	}
	end := machine.Event{Type: machine.AsideEnded}
	if len(left) > 0 {
		end.Stood = maps.Clone(left)
		for file, sum := range e.Journal.Phase().Planning.Stood {
			end.Stood[file] = cmp.Or(left[file], sum)
		}
	}
	return e.Journal.Apply(end)
}

// standingIn is the state as it would be in PLAN of a phase, an index: what is planned ahead counts to that phase.
func (e *Engine) standingIn(at int) machine.State {
	s := e.Journal.State()
	s.CurrentState, s.CurrentPhase = machine.Plan, at
	return s
}
