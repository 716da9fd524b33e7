package worker

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/temporal"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/temporal/flow"
)

// State is the store's, with what calls cost that the workflow does not know yet.
func (d *desk) State() machine.State {
	s := d.session.State()
	if o := d.owed.Load(); o != nil {
		if after, err := transition.Apply(s, s.Stamp(o.Event)); err == nil {
			return after
		}
	}
	return s
}

// Apply records an event. Where somebody else was faster, it is a *machine.StaleEventError, and the session is up to date.
func (d *desk) Apply(e machine.Event) (machine.State, error) {
	if e.Type == machine.Used && e.Dispatch == nil {
		return d.used(e), nil
	}
	before := d.State().Revision
	if err := d.settle(); err != nil {
		return d.State(), err
	}
	if s := d.State(); s.Revision != before {
		return s, &machine.StaleEventError{State: s.Revision, Event: before + 1}
	}
	return d.record(e)
}

// record gives the hub what an event names, then the workflow journals it, then the folder here.
func (d *desk) record(e machine.Event) (machine.State, error) {
	ctx := context.Background() // the act may be over, and what it did counts
	before, again := d.session.State(), d.late
	e.Rev, d.late = before.Revision+1, late{}
	after, err := transition.Apply(before, before.Stamp(e))
	if err != nil {
		return before, err
	}
	r := flow.Record{Act: d.act.ID, Task: d.act.Task, Attempt: d.attempt, Event: e, Ran: d.worker.Host.Now().Sub(d.since)}
	if before.LanesOpen() && e.Type != machine.Used { // others recorded something since, as a rule: better to know before what takes time
		if now, err := d.catchUp(ctx, e.Rev); err != nil {
			return now, err
		}
	}
	if e.Type == machine.DispatchEnded {
		d.ran = true
		d.endSaving()
	}
	whole, commits := !d.flying(before) || e.Type == machine.DispatchEnded, commitsOf(e)
	if whole || len(commits) > 0 { // else it is not held up while the hub gets the work so far
		err = d.give(ctx, d.flying(before), func(ctx context.Context) (err error) {
			if !whole {
				return d.hub.SaveRefs(ctx, commits)
			}
			if again.EventType != e.Type {
				again.work = ""
			}
			r.Work, r.Kept, err = d.saveFor(ctx, e.Rev-1, again.work, after.Branch)
			if d.act.Task == "" {
				r.Tip = d.hub.Branch(after.Branch)
			}
			return err
		})
	}
	if err != nil {
		return before, err
	}
	made, err := update[machine.Event](ctx, d, flow.RecordUpdate, r)
	if app, is := errors.AsType[*temporal.ApplicationError](err); is && app.Type() == flow.StaleErrorType {
		now, err := d.catchUp(ctx, e.Rev)
		if _, stale := errors.AsType[*machine.StaleEventError](err); stale {
			d.late = late{e.Type, r.Work}
		}
		if err != nil {
			return now, err
		}
	}
	if err != nil && d.paid(ctx, e, err) {
		return before, nil
	}
	if err != nil {
		return before, err
	}
	if d.since = d.worker.Host.Now(); r.Work != "" {
		d.saves.Add(1)
	}
	return d.session.Apply(made)
}

// paid tells the session what a call of a model cost, though somebody else took the act over, and maybe ended the workflow's run. It says
// whether the session knows.
func (d *desk) paid(ctx context.Context, e machine.Event, refused error) bool {
	app, is := errors.AsType[*temporal.ApplicationError](refused)
	_, ended := errors.AsType[*serviceerror.NotFound](refused)
	if e.Type != machine.Used || !ended && (!is || app.Type() != flow.TakenOverErrorType) {
		return false
	}
	_, err := update[int64](ctx, d, flow.NoteUpdate, machine.Event{Type: machine.Used, Task: e.Task, Usage: e.Usage})
	if err != nil {
		fmt.Fprintf(d.log(), "An agent run that another worker took over isn't counted: %v\n", err)
	}
	return err == nil
}

// flying says whether an agent is at work in the act's tree: until what it did to the repository is put right, nothing of it goes
// to the hub but its working tree.
func (d *desk) flying(s machine.State) bool {
	if t, is := s.Task(d.act.Task); is && t.Lane != nil {
		return t.Lane.Flight != nil
	}
	return len(s.InFlight) > 0 && s.InFlight[0].Dispatch != nil
}
