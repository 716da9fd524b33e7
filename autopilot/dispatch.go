package autopilot

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// dispatch runs a persona: the budgets are looked at first, the attempt is journaled before anything is sent, and
// what the persona did to the repository is put right before its word counts.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	if err := e.withinBudget(); err != nil {
		return err
	}
	if err := e.Inbox.TakeNotes(func(text string) error { return e.apply(machine.Event{Type: machine.Noted, Detail: text}) }); err != nil {
		return err
	}
	persona := e.Personas.For(personas.Name(step.Persona), briefPurpose(step))
	backend, name, err := e.Backends.For(persona)
	if err != nil {
		return err
	}
	d, err := e.prepare(ctx, step, persona)
	if err != nil {
		return err
	}
	watch, err := e.watch(ctx, d, persona)
	if err != nil {
		return fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	if err := e.apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{
		ID: d.ID, Persona: step.Persona, Purpose: step.Purpose, Task: step.Task, Attempt: step.Attempt, Base: watch.Base,
	}}); err != nil {
		return err
	}
	if err := e.makeOut(step, d); err != nil {
		return err
	}
	if err := e.Seal.Mark(); err != nil {
		return err
	}
	out, err := backend.Dispatch(ctx, d)
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		out, err = personas.Outcome{Kind: personas.Interrupted, Detail: out.Detail}, nil
	case err != nil: // it could not be made at all: nobody is to blame for it, and no attempt is spent
		err = fmt.Errorf("backend %s: %w", name, err)
		out = personas.Outcome{Kind: notMade, Detail: err.Error()}
	}
	return errors.Join(err, e.land(context.WithoutCancel(ctx), step, watch, out, name))
}

// notMade is the end of a dispatch that its backend could not make.
const notMade = personas.OutcomeKind(machine.OutcomeNotMade)

// cutOff is met on resume only: a dispatch was in flight when the program ended. What it left behind is kept, or put
// right, and it counts as interrupted.
func (e *Engine) cutOff(ctx context.Context, step machine.Step) error {
	d := e.state().InFlight[0].Dispatch
	watch, err := e.lastWatch(d.ID)
	if err != nil {
		return fmt.Errorf("reading what the repository was before the dispatch: %w", err)
	}
	e.progress(ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the dispatch was cut off; the same attempt goes on in the kept tree"})
	return e.land(ctx, step, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "cut off"}, "")
}

// land ends a dispatch: the repository is compared with what it was, then the end is journaled with what was found.
func (e *Engine) land(ctx context.Context, step machine.Step, w watch, out personas.Outcome, backend string) error {
	settled, err := e.settle(ctx, w, e.Personas.For(personas.Name(step.Persona), briefPurpose(step)))
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	id := e.state().InFlight[0].Dispatch.ID
	if err := e.keep(step, id, out); err != nil {
		return err
	}
	end := &machine.Ended{ID: id, Outcome: machine.DispatchOutcome(out.Kind), Detail: out.Detail, Findings: settled.findings}
	if !out.Until.IsZero() {
		end.Until = &out.Until
	}
	if out.Reply != nil {
		end.Reply = coreReply(*out.Reply)
	}
	ev := machine.Event{Type: machine.DispatchEnded, Ended: end, ByProducts: settled.byProducts, Rollback: e.Settings.Rollback}
	if err := e.apply(ev); err != nil {
		return err
	}
	return e.stopAfter(out, backend)
}

// stopAfter ends the run where going on would only meet the same wall.
func (e *Engine) stopAfter(out personas.Outcome, backend string) error {
	switch out.Kind {
	case personas.RateLimited:
		return &LimitError{What: "backend " + backend + " reports a limit: " + out.Detail, Until: out.Until}
	case personas.Auth:
		return &CredentialsError{Backend: backend, Detail: out.Detail}
	}
	return nil
}

// withinBudget refuses a dispatch that a budget or a known limit does not allow.
func (e *Engine) withinBudget() error {
	s := e.state()
	if n := e.Settings.MaxDispatches; n > 0 && s.Usage.Dispatches >= n {
		return &LimitError{What: fmt.Sprintf("the budget of %s is used up; --max-dispatches raises it", machine.Plural(n, "dispatch", "dispatches"))}
	}
	if d := e.Settings.MaxDuration; d > 0 && s.Elapsed >= d.Seconds() {
		return &LimitError{What: fmt.Sprintf("the budget of %s running time is used up; --max-duration raises it", d)}
	}
	if s.LimitedUntil != nil && e.Now().Before(*s.LimitedUntil) {
		return &LimitError{What: "the backend reported a limit", Until: *s.LimitedUntil}
	}
	return nil
}

// used journals what a model call cost.
func (e *Engine) used(u personas.Usage) {
	err := e.apply(machine.Event{Type: machine.Used, Usage: &machine.Usage{
		InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD,
	}})
	if err != nil {
		e.note("warning", "A model call could not be recorded: "+err.Error())
	}
}
