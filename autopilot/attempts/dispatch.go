package attempts

import (
	"context"
	"errors"
	"fmt"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/guard"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
	"autopilot/personas"
)

// preparedDispatch is a dispatch that is about to be made.
type preparedDispatch struct {
	personas.Dispatch
	watch   guard.Snapshot
	backend personas.Backend
	name    string
	window  int // tokens that the prompt was made for
}

// Dispatch runs a persona: the budgets are looked at first, and whether a human wants to be asked now; the attempt is
// journaled before anything is sent, and what the persona did to the repository is put right before its word counts.
func (ats Attempts) Dispatch(ctx context.Context, step machine.Step) error {
	d, err := ats.begin(ctx, step)
	if err != nil || d == nil {
		return err
	}
	budgets := func() []budget.Budget { return budget.Budgets(ats.Journal.State(), ats.Settings.Limits, step.Task) }
	limited, end := ats.LimitSpending(ctx, &d.Dispatch, budgets, machine.Event{Task: step.Task})
	defer end()
	out, err := ats.Mask.Dispatch(limited, d.backend, d.Dispatch)
	over := budget.Overspent(limited)
	switch {
	case ctx.Err() != nil && out.Kind != personas.GotReply:
		out, err = out.As(personas.Interrupted, out.Detail), nil
	case over != nil && out.Kind != personas.GotReply: // the next run goes on with the same attempt
		landed := ats.finish(context.WithoutCancel(ctx), step, d.ID, d.watch, out.As(personas.RateLimited, over.What), "")
		return errors.Join(over, landed)
	case err != nil: // it could not be made at all: nobody is to blame for it, and no attempt is spent
		err = fmt.Errorf("backend %s: %w", d.name, err)
		out = out.As(notMade, err.Error())
		if window := personas.WindowOf(ctx, d.backend); window < d.window { // the same step makes a prompt that fits
			ats.Journal.Note("warning", fmt.Sprintf("The prompt was made for %d tokens, and the model takes %d. It is made again.", d.window, window))
			err = nil
		}
	}
	return errors.Join(err, ats.finish(context.WithoutCancel(ctx), step, d.ID, d.watch, out, d.name))
}

// begin prepares a dispatch and journals it; nil is a question to a human instead.
func (ats Attempts) begin(ctx context.Context, step machine.Step) (*preparedDispatch, error) {
	ats.Front.Lock()
	defer ats.Front.Unlock()
	if ats.Lane == "" && len(ats.Journal.State().Suspended) > 0 {
		return nil, nil // meanwhile a lane asked something, and that comes first
	}
	if err := ats.WithinBudget(ats.Journal.State(), step.Task); err != nil {
		return nil, err
	}
	persona := ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))
	backend, name, err := ats.Player(persona)
	if err != nil {
		return nil, err
	}
	if asked, err := ats.pause(); asked || err != nil {
		return nil, err
	}
	if err := ats.Inbox.TakeNotes(ats.noted); err != nil {
		return nil, err
	}
	window := personas.WindowOf(ctx, backend)
	still := ats.Look.Seen.Still(ctx)
	var d personas.Dispatch
	if step.Purpose == machine.BlindPurpose {
		d, err = ats.prepareBlind(ctx, step, persona, personas.Submits(backend))
	} else {
		d, err = ats.Prepare(still, step, persona, func(b *personas.Brief) { b.Submits = personas.Submits(backend) })
	}
	if err != nil {
		return nil, err
	}
	watch, err := ats.Guard.Capture(still, d, persona)
	if err != nil {
		return nil, fmt.Errorf("looking at the repository before the dispatch: %w", err)
	}
	if err := ats.Journal.Apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{
		ID: d.ID, Persona: step.Persona, Purpose: step.Purpose, Task: step.Task, Attempt: step.Attempt, Base: watch.Base,
	}, Snapshots: watch.Named()}); err != nil {
		return nil, err
	}
	if err := ats.open(step, d); err != nil {
		return nil, err
	}
	if err := ats.Guard.AtWork.Mark(d.ID); err != nil {
		return nil, err
	}
	d.Check = ats.prove(step, d, watch)
	ats.watched(&d, step)
	return &preparedDispatch{Dispatch: d, watch: watch, backend: backend, name: name, window: window}, nil
}

// pause asks a human where as many dispatches were made as configured, or where somebody wished it.
func (ats Attempts) pause() (bool, error) {
	wished := ats.Inbox.Wished(machine.WishPause)
	if !wished && !ats.Journal.State().PauseDue(ats.Settings.PauseEvery) {
		return false, nil
	}
	ev := machine.Event{Type: machine.GateRaised, Kind: machine.GatePause, Task: ats.Lane}
	if wished {
		ev.By = "human"
	}
	err := ats.Journal.Apply(ev)
	ats.Inbox.Drop(machine.WishPause)
	return true, err
}

// watched has whoever looks on see what a dispatch says while it runs.
func (ats Attempts) watched(d *personas.Dispatch, step machine.Step) {
	tell, id := d.OnEvent, d.ID
	ats.Journal.Begin(id, journal.Work{Task: step.Task, Persona: step.Persona, Purpose: step.Purpose, Idle: d.Idle})
	d.OnLine = func(line string) { ats.Journal.Said(id, line) }
	d.OnEvent = func(kind, text string) {
		if kind == "result" {
			ats.Journal.Said(id, "")
		} else {
			ats.Journal.Said(id, text[:min(len(text), maxSaid)])
		}
		tell(kind, text)
	}
}

// maxSaid is how much of a text is passed on to whoever looks on, in bytes.
const maxSaid = 400

// notMade is the end of a dispatch that its backend could not make.
const notMade = personas.OutcomeKind(machine.OutcomeNotMade)

// ResumeInterrupted is met on resume only: a dispatch was in flight when the program ended. What it left behind is kept, or put
// right, and it counts as interrupted.
func (ats Attempts) ResumeInterrupted(ctx context.Context, step machine.Step) error {
	d := ats.inFlight(step)
	watch, err := ats.Guard.Last(ctx, d.ID)
	if err != nil {
		return fmt.Errorf("reading what the repository was before the dispatch: %w", err)
	}
	if watch.Foreign || ats.Bring != nil {
		return ats.resumeForeign(ctx, step, d)
	}
	if err := ats.Guard.Accept(ctx, &watch, ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step))); err != nil {
		return fmt.Errorf("telling a human's deeds from the agent's: %w", err)
	}
	watch.Unclear = watch.Ended.IsZero()
	ats.Journal.Progress(journal.ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the dispatch was cut off; the same attempt goes on in the kept tree"})
	if err := ats.finish(ctx, step, d.ID, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "cut off"}, ""); err != nil {
		return err
	}
	return ats.Guard.Home.Config.Record(ctx)
}

// resumeForeign ends a dispatch that another machine began. What it did to that clone is none of this one's business; what it made so
// far comes here, and is looked at as if it was made here.
func (ats Attempts) resumeForeign(ctx context.Context, step machine.Step, d *machine.Dispatch) error {
	key := dispatch.KeyOf(step)
	watch, err := ats.Guard.Capture(git.Still(ctx), personas.Dispatch{ID: d.ID, Key: key}, ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err != nil {
		return fmt.Errorf("looking at the repository before the work of another machine: %w", err)
	}
	if ats.Bring != nil {
		if err := ats.Bring(ctx); err != nil {
			return err
		}
	}
	ats.Journal.Progress(journal.ProgressLine{Type: "RECOVERY", Task: step.Task, Message: "action=repeat reason=the machine of the dispatch was lost; the same attempt goes on here"})
	return ats.finish(ctx, step, d.ID, watch, personas.Outcome{Kind: personas.Interrupted, Detail: "its machine was lost"}, "")
}

// inFlight is the dispatch that was begun and has no end yet.
func (ats Attempts) inFlight(step machine.Step) *machine.Dispatch {
	s := ats.Journal.State()
	if t, _ := s.Task(step.Task); ats.Lane != "" && t.Lane != nil {
		return t.Lane.Flight
	}
	return s.InFlight[0].Dispatch
}

// finish ends a dispatch: the repository is compared with what it was, then the end is journaled with what was found.
func (ats Attempts) finish(ctx context.Context, step machine.Step, id string, w guard.Snapshot, out personas.Outcome, backend string) error {
	ats.Front.Lock()
	defer ats.Front.Unlock()
	settled, err := ats.Guard.Restore(ctx, w, ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)))
	if err == nil && ats.Lane != "" {
		var taken []machine.Finding
		taken, err = ats.HomeChanges.LookAfterUsersFiles(ctx)
		settled.Findings = append(settled.Findings, taken...)
	}
	if err == nil && !settled.Lost {
		err = ats.Guard.LeaveTraces(ctx, id, out, &settled)
	}
	ats.Guard.AtWork.Unmark(id)
	ats.Journal.End(id)
	ats.Look.Seen = settled.Seen
	if err != nil {
		for _, f := range settled.Findings { // no event will have them
			ats.Journal.Note("warning", workspace.OneLine(f))
		}
		return fmt.Errorf("putting the repository right after the dispatch: %w", err)
	}
	if err := ats.Keep(step, id, out); err != nil {
		return err
	}
	out = ats.believed(step, out)
	var next string
	var limit *budget.LimitError
	if out.Kind == personas.RateLimited && backend != "" {
		var told string
		if next, told, limit = dispatch.GoOn(ats.Backends, ats.Personas.For(personas.Name(step.Persona), dispatch.PurposeOf(step)), out, backend); limit == nil {
			ats.Journal.Note("warning", told)
		}
	}
	at := ats.inFlight(step).At
	end := &machine.Ended{ID: id, Outcome: machine.DispatchOutcome(out.Kind), Detail: out.Detail, Findings: settled.Findings, Lost: settled.Lost, Warned: ats.Look.Warned, UsedUp: out.UsedUp, YourTurn: (*machine.YourTurn)(out.YourTurn), Outage: out.Outage != "", TextOnly: out.TextOnly}
	ats.Look.Fresh, ats.Look.Asked, ats.Look.Warned, ats.Look.Idle, ats.Look.Strays = false, false, false, false, false
	if !out.Until.IsZero() {
		end.Until = &out.Until
	}
	if next != "" {
		end.Backend, end.Next = backend, next
	}
	if step.Persona == "verifier" || step.Persona == "reviewer" {
		end.Commit = w.Base
	}
	if out.Reply != nil {
		end.Reply = coreReply(*out.Reply)
		end.Explains = step.Name == machine.StepDispatch && len(out.Reply.Concerns) > 0
	}
	if end.Metrics, end.Used = ats.metrics(at, out); end.Metrics != nil {
		end.Task = step.Task
	}
	ev := machine.Event{Type: machine.DispatchEnded, Ended: end, ByProducts: settled.ByProducts, Claimed: settled.Claimed, Checks: settled.Failed, Rollback: ats.Settings.Rollback}
	if err := ats.Journal.Apply(ev); err != nil {
		return err
	}
	if limit != nil {
		return limit
	}
	return dispatch.Refused(out, backend, ats.remedy(step))
}

// believed takes an outage for a crash where the agent's words alone tell of it and have done so too often in the attempt.
func (ats Attempts) believed(step machine.Step, out personas.Outcome) personas.Outcome {
	if !out.TextOnly || !ats.Journal.State().HeardEnough(step.Task) {
		return out
	}
	return budget.Doubted(out)
}

// noted takes what a person told the run. A finding that is closed meanwhile cannot be dismissed any more, which is said.
func (ats Attempts) noted(e machine.Event) error {
	err := ats.Journal.Apply(e)
	if _, refused := errors.AsType[*machine.IllegalEventError](err); refused {
		ats.Journal.Note("warning", "Ignored a note or dismissal from the inbox: "+err.Error())
		return nil
	}
	return err
}
