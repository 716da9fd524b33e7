package autopilot

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// preparedDispatch is a dispatch that is about to be made.
type preparedDispatch struct {
	personas.Dispatch
	watch   guard.Snapshot
	backend personas.Backend
	name    string
}

// dispatch runs a persona: the budgets are looked at first, and whether a human wants to be asked now; the attempt is
// journaled before anything is sent, and what the persona did to the repository is put right before its word counts.
func (e *Engine) dispatch(ctx context.Context, step machine.Step) error {
	if again, err := e.pickedAgain(ctx, step, true); again || err != nil {
		return err
	}
	d, err := e.prepareDispatch(ctx, step)
	if err != nil || d == nil {
		return err
	}
	budgets := func() []budget.Budget { return budget.Budgets(e.Journal.State(), e.Settings.Limits, step.Task) }
	limited, end := e.limitSpending(ctx, &d.Dispatch, budgets, machine.Event{Task: step.Task})
	defer end()
	out, err := e.Mask.Dispatch(limited, d.backend, d.Dispatch)
	over := budget.Overspent(limited)
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		out, err = out.As(personas.Interrupted, out.Detail), nil
	case over != nil && out.Kind != personas.GotReply: // the next run goes on with the same attempt
		landed := e.finishDispatch(context.WithoutCancel(ctx), step, d.ID, d.watch, out.As(personas.RateLimited, over.What), "")
		return errors.Join(over, landed)
	case err != nil: // it could not be made at all: nobody is to blame for it, and no attempt is spent
		err = fmt.Errorf("backend %s: %w", d.name, err)
		out = out.As(notMade, err.Error())
	}
	return errors.Join(err, e.finishDispatch(context.WithoutCancel(ctx), step, d.ID, d.watch, out, d.name))
}

// prepareDispatch prepares a dispatch and journals it; nil is a question to a human instead.
func (e *Engine) prepareDispatch(ctx context.Context, step machine.Step) (*preparedDispatch, error) {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	if e.main == nil && len(e.Journal.State().Suspended) > 0 {
		return nil, nil // meanwhile a lane asked something, and that comes first
	}
	if err := e.withinBudget(e.Journal.State(), step.Task); err != nil {
		return nil, err
	}
	persona := e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))
	backend, name, err := e.player(persona)
	if err != nil {
		return nil, err
	}
	if e.Journal.State().PauseDue(e.Settings.PauseEvery) {
		return nil, e.Journal.Apply(machine.Event{Type: machine.GateRaised, Kind: machine.GatePause, Task: e.task})
	}
	if err := e.Inbox.TakeNotes(func(text string) error { return e.Journal.Apply(machine.Event{Type: machine.Noted, Detail: text}) }); err != nil {
		return nil, err
	}
	still := e.looked.Still(ctx)
	e.Repo.Tree.StatusAhead(still) // writing the order touches nothing of the working tree
	d, err := e.prepare(still, step, persona, func(b *personas.Brief) { b.Submits = personas.Submits(backend) })
	if err != nil {
		return nil, err
	}
	watch, err := e.guard().Capture(still, d, persona)
	if err != nil {
		return nil, fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	if err := e.Journal.Apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{
		ID: d.ID, Persona: step.Persona, Purpose: step.Purpose, Task: step.Task, Attempt: step.Attempt, Base: watch.Base,
	}, Snapshots: watch.Named()}); err != nil {
		return nil, err
	}
	if err := e.open(step, d); err != nil {
		return nil, err
	}
	e.Journal.Settle()
	if err := e.atWork.Mark(d.ID); err != nil {
		return nil, err
	}
	d.Check = e.prove(step, d, watch)
	return &preparedDispatch{Dispatch: d, watch: watch, backend: backend, name: name}, nil
}

// notMade is the end of a dispatch that its backend could not make.
const notMade = personas.OutcomeKind(machine.OutcomeNotMade)

// resumeInterrupted is met on resume only: a dispatch was in flight when the program ended. What it left behind is kept, or put
// right, and it counts as interrupted.
func (e *Engine) resumeInterrupted(ctx context.Context, step machine.Step) error {
	d := e.inFlight(step)
	watch, err := e.guard().Last(ctx, d.ID)
	if err != nil {
		return fmt.Errorf("reading what the repository was before the dispatch: %w", err)
	}
	if err := e.guard().Accept(ctx, &watch, e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))); err != nil {
		return fmt.Errorf("telling a human's deeds from the agent's: %w", err)
	}
	watch.Unclear = watch.Ended.IsZero()
	e.Journal.Progress(journal.ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the dispatch was cut off; the same attempt goes on in the kept tree"})
	if err := e.finishDispatch(ctx, step, d.ID, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "cut off"}, ""); err != nil {
		return err
	}
	home := e.Repo
	if e.main != nil {
		home = e.main.Repo
	}
	return home.Config.Record(ctx)
}

// inFlight is the dispatch that was begun and has no end yet.
func (e *Engine) inFlight(step machine.Step) *machine.Dispatch {
	s := e.Journal.State()
	if t, _ := s.Task(step.Task); e.main != nil && t.Lane != nil {
		return t.Lane.Flight
	}
	return s.InFlight[0].Dispatch
}

// finishDispatch ends a dispatch: the repository is compared with what it was, then the end is journaled with what was found.
func (e *Engine) finishDispatch(ctx context.Context, step machine.Step, id string, w guard.Snapshot, out personas.Outcome, backend string) error {
	e.lanes.front.Lock()
	defer e.lanes.front.Unlock()
	settled, err := e.guard().Restore(ctx, w, e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err == nil && e.main != nil {
		var taken []machine.Finding
		taken, err = e.main.changes().LookAfterUsersFiles(ctx)
		settled.Findings = append(settled.Findings, taken...)
	}
	if err == nil && !settled.Lost {
		err = e.guard().LeaveTraces(ctx, id, out, &settled)
	}
	e.atWork.Unmark(id)
	e.looked = settled.Seen
	if err != nil {
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	if err := e.keep(step, id, out); err != nil {
		return err
	}
	out = e.believed(step, out)
	var next string
	var limit *budget.LimitError
	if out.Kind == personas.RateLimited && backend != "" {
		var told string
		if next, told, limit = dispatch.GoOn(e.Backends, e.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)), out, backend); limit == nil {
			e.Journal.Note("warning", told)
		}
	}
	at := e.inFlight(step).At
	end := &machine.Ended{ID: id, Outcome: machine.DispatchOutcome(out.Kind), Detail: out.Detail, Findings: settled.Findings, Lost: settled.Lost, UsedUp: out.UsedUp, Outage: out.Outage != "", TextOnly: out.TextOnly}
	e.fresh = false
	if !out.Until.IsZero() {
		end.Until = &out.Until
	}
	if next != "" {
		end.Backend, end.Next = backend, next
	}
	if out.Reply != nil {
		end.Reply = coreReply(*out.Reply)
	}
	end.Metrics, end.Used = e.metrics(at, out)
	ev := machine.Event{Type: machine.DispatchEnded, Ended: end, ByProducts: settled.ByProducts, Claimed: settled.Claimed, Checks: settled.Failed, Rollback: e.Settings.Rollback}
	if err := e.Journal.Apply(ev); err != nil {
		return err
	}
	if limit != nil {
		return limit
	}
	return dispatch.Refused(out, backend, e.remedy(step))
}

// believed takes an outage for a crash where the agent's words alone tell of it and have done so too often in the attempt.
func (e *Engine) believed(step machine.Step, out personas.Outcome) personas.Outcome {
	if !out.TextOnly || !e.Journal.State().HeardEnough(step.Task) {
		return out
	}
	return budget.Doubted(out)
}
