package worker

import (
	"errors"
	"time"

	"autopilot/autopilot/machine"
)

// together is for how long what calls cost is recorded together. A run of the workflow takes 2,000 updates, and an agent that works for
// hours calls a model thousands of times. Half a minute of an agent's first 12 minutes and 4 % of its time later are 144 records in the
// 24 hours that a step may take; beside more than eight lanes it is as much longer.
func together(age time.Duration, lanes int) time.Duration {
	return max(30*time.Second, age/25) * time.Duration(max(8, lanes)) / 8
}

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
	if now.Sub(next.since) >= together(now.Sub(d.began), d.session.State().Parallel) {
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
			d.counted.Add(1)
		}
		return err
	}
}

// pay settles what is owed at the end of an act: nobody else knows of it.
func (d *desk) pay() error {
	d.paying = true
	return d.settle()
}

// inherit owes what a lost attempt owed, unless it was recorded after its last heartbeat.
func (d *desk) inherit(b Beat) {
	d.counted.Store(int64(d.taken.Counted))
	if b.Owed != nil && b.Counted == d.taken.Counted {
		d.owed.Store(&owed{*b.Owed, d.worker.Host.Now()})
	}
}
