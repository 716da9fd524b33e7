package autopilot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// sending is a dispatch that is about to be made.
type sending struct {
	personas.Dispatch
	watch   watch
	backend personas.Backend
	name    string
}

// dispatch runs a persona: the budgets are looked at first, and whether a human wants to be asked now; the attempt is
// journaled before anything is sent, and what the persona did to the repository is put right before its word counts.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	d, err := e.send(ctx, step)
	if err != nil || d == nil {
		return err
	}
	out, err := d.backend.Dispatch(ctx, d.Dispatch)
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		out, err = personas.Outcome{Kind: personas.Interrupted, Detail: out.Detail}, nil
	case err != nil: // it could not be made at all: nobody is to blame for it, and no attempt is spent
		err = fmt.Errorf("backend %s: %w", d.name, err)
		out = personas.Outcome{Kind: notMade, Detail: err.Error()}
	}
	return errors.Join(err, e.land(context.WithoutCancel(ctx), step, d.ID, d.watch, out, d.name))
}

// send prepares a dispatch and journals it; nil is a question to a human instead.
func (e *Engine) send(ctx context.Context, step machine.Step) (*sending, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	if e.main == nil && len(e.state().Suspended) > 0 {
		return nil, nil // meanwhile a lane asked something, and that comes first
	}
	if err := e.withinBudget(); err != nil {
		return nil, err
	}
	if e.state().PauseDue(e.Settings.PauseEvery) {
		return nil, e.apply(machine.Event{Type: machine.GateRaised, Kind: machine.GatePause, Task: e.task})
	}
	if err := e.Inbox.TakeNotes(func(text string) error { return e.apply(machine.Event{Type: machine.Noted, Detail: text}) }); err != nil {
		return nil, err
	}
	persona := e.Personas.For(personas.Name(step.Persona), briefPurpose(step))
	backend, name, err := e.Backends.For(persona)
	if err != nil {
		return nil, err
	}
	d, err := e.prepare(ctx, step, persona)
	if err != nil {
		return nil, err
	}
	watch, err := e.watch(ctx, d, persona)
	if err != nil {
		return nil, fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	if err := e.apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{
		ID: d.ID, Persona: step.Persona, Purpose: step.Purpose, Task: step.Task, Attempt: step.Attempt, Base: watch.Base,
	}}); err != nil {
		return nil, err
	}
	if err := e.makeOut(step, d); err != nil {
		return nil, err
	}
	if err := e.mark(d.ID); err != nil {
		return nil, err
	}
	return &sending{Dispatch: d, watch: watch, backend: backend, name: name}, nil
}

// notMade is the end of a dispatch that its backend could not make.
const notMade = personas.OutcomeKind(machine.OutcomeNotMade)

// cutOff is met on resume only: a dispatch was in flight when the program ended. What it left behind is kept, or put
// right, and it counts as interrupted.
func (e *Engine) cutOff(ctx context.Context, step machine.Step) error {
	d := e.flying(step)
	watch, err := e.lastWatch(d.ID)
	if err != nil {
		return fmt.Errorf("reading what the repository was before the dispatch: %w", err)
	}
	e.progress(ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the dispatch was cut off; the same attempt goes on in the kept tree"})
	return e.land(ctx, step, d.ID, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "cut off"}, "")
}

// flying is the dispatch that was begun and has no end yet.
func (e *Engine) flying(step machine.Step) *machine.Dispatch {
	s := e.state()
	if t, _ := s.Task(step.Task); e.main != nil && t.Lane != nil {
		return t.Lane.Flight
	}
	return s.InFlight[0].Dispatch
}

// land ends a dispatch: the repository is compared with what it was, then the end is journaled with what was found.
func (e *Engine) land(ctx context.Context, step machine.Step, id string, w watch, out personas.Outcome, backend string) error {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	settled, lost, err := e.settleThere(ctx, w, e.Personas.For(personas.Name(step.Persona), briefPurpose(step)))
	if err == nil && e.main != nil {
		err = e.main.lookAfterUsersFiles(ctx, &settled)
	}
	e.unmark(id)
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	if err := e.keep(step, id, out); err != nil {
		return err
	}
	end := &machine.Ended{ID: id, Outcome: machine.DispatchOutcome(out.Kind), Detail: out.Detail, Findings: settled.findings, Lost: lost}
	e.fresh = false
	if !out.Until.IsZero() {
		end.Until = &out.Until
	}
	if out.Reply != nil {
		end.Reply = coreReply(*out.Reply)
	}
	ev := machine.Event{Type: machine.DispatchEnded, Ended: end, ByProducts: settled.byProducts, Claimed: settled.claimed, Rollback: e.Settings.Rollback}
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
	if limit := OverBudget(e.state(), e.Settings, e.Now()); limit != nil {
		return limit
	}
	return nil
}

// OverBudget is the budget, or the known limit, that keeps a session from dispatching anybody now; nil where none does.
func OverBudget(s machine.State, set Settings, now time.Time) *LimitError {
	if n := set.MaxDispatches; n > 0 && s.Usage.Dispatches >= n {
		return &LimitError{What: fmt.Sprintf("the budget of %s is used up; --max-dispatches raises it", machine.Plural(n, "dispatch", "dispatches"))}
	}
	if d := set.MaxDuration; d > 0 && s.Elapsed >= d.Seconds() {
		return &LimitError{What: fmt.Sprintf("the budget of %s running time is used up; --max-duration raises it", d)}
	}
	if s.LimitedUntil != nil && now.Before(*s.LimitedUntil) {
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
