package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc/codes"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/temporal/flow"
	"autopilot/temporal/hub"
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
		d.endSaving()
	}
	err = d.give(ctx, d.flying(before), func(ctx context.Context) (err error) {
		switch commits := commitsOf(e); {
		case !d.flying(before) || e.Type == machine.DispatchEnded:
			if again.EventType != e.Type {
				again.work = ""
			}
			r.Work, r.Kept, err = d.saveFor(ctx, e.Rev-1, again.work, after.Branch)
		case len(commits) > 0:
			err = d.hub.SaveRefs(ctx, commits)
		}
		return err
	})
	if err != nil {
		return before, err
	}
	if d.act.Task == "" {
		r.Tip = d.hub.Branch(after.Branch)
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

// catchUp brings the session up to date with what others recorded: where that is an event of a revision, it is a *machine.StaleEventError.
// A query is no update, of which a run takes 2,000.
func (d *desk) catchUp(ctx context.Context, rev int64) (machine.State, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var events []machine.Event
	query := func() error {
		value, err := d.worker.Client.QueryWorkflow(ctx, d.id, d.run, flow.EventsQuery, d.session.State().Revision)
		if err == nil {
			err = value.Get(&events)
		}
		return err
	}
	err := query()
	for away(err) && d.worker.Host.Pause(ctx, time.Second) == nil {
		err = query()
	}
	if err == nil {
		err = d.enter(ctx, events)
	}
	s := d.session.State()
	if err == nil && s.Revision >= rev {
		err = &machine.StaleEventError{State: s.Revision, Event: rev}
	}
	return s, err
}

// paid tells the session what a call of a model cost, though somebody else took the act over. It says whether the session knows.
func (d *desk) paid(ctx context.Context, e machine.Event, refused error) bool {
	if app, is := errors.AsType[*temporal.ApplicationError](refused); !is || app.Type() != flow.TakenOverErrorType || e.Type != machine.Used {
		return false
	}
	_, err := update[int64](ctx, d, flow.NoteUpdate, machine.Event{Type: machine.Used, Task: e.Task, Usage: e.Usage})
	if err != nil {
		fmt.Fprintf(d.worker.Host.Err, "An agent run that another worker took over isn't counted: %v\n", err)
	}
	return err == nil
}

// patience is how long hub and server may be away while an event is recorded. A push that goes on takes its time.
const patience = 5 * time.Minute

// flying says whether an agent is at work in the act's tree: until what it did to the repository is put right, nothing of it goes
// to the hub but its working tree.
func (d *desk) flying(s machine.State) bool {
	if t, is := s.Task(d.act.Task); is && t.Lane != nil {
		return t.Lane.Flight != nil
	}
	return len(s.InFlight) > 0 && s.InFlight[0].Dispatch != nil
}

// give gives the hub something.
func (d *desk) give(ctx context.Context, paid bool, save func(context.Context) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.patiently(ctx, paid, save)
}

// patiently does something with the hub, and waits for one that is away while an agent's run is not recorded to its end: that was paid
// for.
func (d *desk) patiently(ctx context.Context, paid bool, do func(context.Context) error) error {
	var failing time.Time
	for {
		err := do(ctx)
		if _, moved := errors.AsType[*hub.MovedError](err); err == nil || moved || !paid {
			return err
		}
		now := d.worker.Host.Now()
		if failing.IsZero() {
			failing = now
		}
		if now.Sub(failing) >= patience || d.worker.Host.Pause(ctx, time.Second) != nil {
			return err
		}
	}
}

// saveFor gives the hub what an event needs there: the working tree as it is, or as it was given. kept is up to which revision the hub
// has the journal: the one before the event, or 0.
func (d *desk) saveFor(ctx context.Context, before int64, as, branch string) (work string, kept int64, err error) {
	works, err := d.works(ctx, as)
	if err != nil {
		return "", 0, err
	}
	has, err := d.hub.SaveFor(ctx, works, d.own(branch))
	if has {
		kept = before
	}
	return works[d.tree.Name()], kept, err
}

// own is the run's branch, in its own working tree; "" is none.
func (d *desk) own(branch string) string {
	if d.act.Task != "" {
		return ""
	}
	return branch
}

// works is the working tree of the act as it is, or as it was kept.
func (d *desk) works(ctx context.Context, as string) (map[string]string, error) {
	if _, none := os.Stat(filepath.Join(d.tree.Dir, ".git")); as == "" && none == nil { // else the lane is not made yet
		var err error
		if as, err = d.hub.Keep(ctx, d.tree); err != nil {
			return nil, err
		}
	}
	works := map[string]string{}
	if as != "" {
		works[d.tree.Name()] = as
	}
	return works, nil
}

// save gives the hub all that changed.
func (d *desk) save(ctx context.Context) error {
	return d.give(ctx, false, func(ctx context.Context) error {
		works, err := d.works(ctx, "")
		if err == nil {
			err = d.hub.Save(ctx, works, d.own(d.State().Branch))
		}
		return err
	})
}

// saveWork gives the hub the working tree in the middle of the act.
func (d *desk) saveWork(ctx context.Context) (work string, saves int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.saving.Store(&cancel)
	saves = int(d.saves.Load()) // before it: what is recorded meanwhile has a newer tree
	work, err = d.hub.SaveWork(ctx, d.tree)
	return work, saves, err
}

// endSaving ends the saving in the middle of the act: its end is there.
func (d *desk) endSaving() {
	if cancel := d.saving.Load(); cancel != nil {
		(*cancel)()
	}
}

// update sends the workflow an update, and waits for its result. While the server is away it is sent again: the server takes it once, by
// its id.
func update[T any](ctx context.Context, d *desk, name string, arg any) (result T, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.updates++
	o := client.UpdateWorkflowOptions{
		WorkflowID: d.id, RunID: d.run, UpdateName: name, UpdateID: fmt.Sprintf("%s.%d.%d", d.act.ID, d.attempt, d.updates), Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
	}
	for {
		handle, err := d.worker.Client.UpdateWorkflow(ctx, o)
		if err == nil {
			err = handle.Get(ctx, &result)
		}
		if !away(err) || d.worker.Host.Pause(ctx, time.Second) != nil {
			return result, err
		}
	}
}

// away says whether an error means that the server could not be reached, has too much to do, or that no worker answered in time.
func away(err error) bool {
	_, lost := errors.AsType[*client.WorkflowUpdateServiceTimeoutOrCanceledError](err)
	_, failing := errors.AsType[*serviceerror.WorkflowNotReady](err)
	return lost || failing || slices.Contains([]codes.Code{codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted}, serviceerror.ToStatus(err).Code())
}
