package flow

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"autopilot/autopilot/machine"
)

// asked is an update on its way.
type asked struct {
	taken chan bool  // whether the validator accepted it: what it refuses is not in the history
	done  chan error // how it ended
}

// ask sends an update, without waiting for it.
func (k *worker) ask(name string, result, arg any) asked {
	q := asked{make(chan bool, 1), make(chan error, 1)}
	callbacks := &testsuite.TestUpdateCallback{
		OnReject: func(err error) { q.taken <- false; q.done <- err },
		OnAccept: func() { q.taken <- true },
		OnComplete: func(got any, err error) {
			if err == nil {
				err = as(got, result)
			}
			q.done <- err
		},
	}
	id := fmt.Sprint(name, " ", k.sent.Add(1))
	k.env.RegisterDelayedCallback(func() { k.env.UpdateWorkflow(name, id, callbacks, arg) }, 0)
	return q
}

// now is the session as the workflow shows it, while an act is at work.
func (k *worker) now() (st machine.State, journal []machine.Event, err error) {
	seen := make(chan struct{})
	k.env.RegisterDelayedCallback(func() {
		defer close(seen)
		value, failed := k.env.QueryWorkflow(StateQuery)
		events, unread := k.env.QueryWorkflow(EventsQuery, 0)
		if err = errors.Join(failed, unread); err == nil {
			err = errors.Join(value.Get(&st), events.Get(&journal))
		}
	}, 0)
	<-seen
	return st, journal, err
}

// typeOf is the type of an error of an update.
func typeOf(err error) string {
	kind, _ := said(err)
	return kind
}

// said is the type of an error of an update, and what it says, as they reach a caller on another machine.
func said(err error) (kind, sentence string) {
	c := temporal.GetDefaultFailureConverter()
	if app, is := errors.AsType[*temporal.ApplicationError](c.FailureToError(c.ErrorToFailure(err))); is {
		return app.Type(), app.Message()
	}
	return fmt.Sprint(err), ""
}
