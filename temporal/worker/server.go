package worker

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"

	"autopilot/autopilot/machine"
	"autopilot/temporal/account"
	"autopilot/temporal/flow"
)

// catchUp brings the session up to date with what others recorded: where that is an event of a revision, it is a *machine.StaleEventError.
// A query is no update, of which a run takes 2,000.
func (d *desk) catchUp(ctx context.Context, rev int64) (machine.State, error) {
	asking, cancel := d.within(ctx)
	defer cancel()
	var events []machine.Event
	query := func() error {
		value, err := d.worker.Client.QueryWorkflow(asking, d.id, d.run, flow.EventsQuery, d.session.State().Revision)
		if err == nil {
			err = value.Get(&events)
		}
		return err
	}
	err := query()
	for account.Away(err) && d.worker.Host.Pause(asking, time.Second) == nil {
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

// within is for how long the server is waited for: patience, and an hour for what is owed at the end of an act, unless the worker stops.
func (d *desk) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if !d.paying || d.worker.Stopping.Err() != nil {
		return context.WithTimeout(ctx, patience)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	stop := context.AfterFunc(d.worker.Stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// update sends the workflow an update, and waits for its result. While the server is away it is sent again: the server takes it once, by
// its id.
func update[T any](ctx context.Context, d *desk, name string, arg any) (result T, err error) {
	ctx, cancel := d.within(ctx)
	defer cancel()
	d.updates++
	run := d.run
	if name == flow.NoteUpdate { // of an act that is over, maybe with its run
		run = ""
	}
	o := client.UpdateWorkflowOptions{
		WorkflowID: d.id, RunID: run, UpdateName: name, UpdateID: fmt.Sprintf("%s.%s.%d.%d", d.run, d.act.ID, d.attempt, d.updates), Args: []any{arg}, WaitForStage: client.WorkflowUpdateStageCompleted,
	}
	for {
		handle, err := d.worker.Client.UpdateWorkflow(ctx, o)
		if err == nil {
			err = handle.Get(ctx, &result)
		}
		if !account.Away(err) || d.worker.Host.Pause(ctx, time.Second) != nil {
			return result, err
		}
	}
}
