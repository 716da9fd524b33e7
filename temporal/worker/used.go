package worker

import (
	"errors"
	"time"

	"autopilot/autopilot/machine"
)

// A run of the workflow takes 2,000 updates, and an agent that works for hours calls a model thousands of times: what calls cost is
// recorded together, half a minute of an agent's first 25 minutes, and 2 % of its time later.
const (
	atLeast  = 30 * time.Second
	ofItsAge = 50
)

// owed is what calls of a model cost that the workflow does not know yet.
type owed struct {
	machine.Event
	since time.Time
}

// used counts what a call cost. It never fails: what could not be recorded stays owed.
func (d *desk) used(e machine.Event) machine.State {
	o, now := d.owed.Load(), d.worker.Host.Now()
	if o != nil && (o.Task != e.Task || o.Phase != e.Phase) {
		_ = d.settle()
		o = d.owed.Load()
	}
	next := owed{e, now}
	if o != nil {
		sum := o.Usage.Plus(*e.Usage)
		next.since, next.Usage = o.since, &sum
	}
	d.owed.Store(&next)
	if now.Sub(next.since) >= max(atLeast, now.Sub(d.began)/ofItsAge) {
		_ = d.settle()
	}
	return d.State()
}

// settle records what is owed.
func (d *desk) settle() error {
	for {
		o := d.owed.Load()
		if o == nil {
			return nil
		}
		_, err := d.record(o.Event)
		if _, stale := errors.AsType[*machine.StaleEventError](err); stale {
			continue // the session is up to date now
		}
		if err == nil {
			d.owed.Store(nil)
		}
		return err
	}
}
