package account

import (
	"fmt"
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"
)

// fleet is dispatches that share an account, over all runs of its workflow.
type fleet struct {
	t          *testing.T
	env        *testsuite.TestWorkflowEnvironment // the present run
	dispatches []*dispatch
	slots      int
	limited    time.Time
	lastUse    time.Time
}

// dispatch asks until it has its lease, works for a while, and gives the lease back.
type dispatch struct {
	*fleet
	name     string
	lasts    time.Duration
	killed   time.Duration // after its grant; 0: never
	gaveUp   bool          // dies after its first request
	limit    time.Duration // what the provider says at its end
	next     time.Time     // when it does something again; zero: never
	granted  time.Time
	validTil time.Time // of its lease
}

// schedule has the dispatch do its next step in the present run.
func (d *dispatch) schedule() {
	if !d.next.IsZero() {
		d.env.RegisterDelayedCallback(d.step, d.next.Sub(d.env.Now()))
	}
}

// step asks, renews or gives. If the run ends meanwhile, the next run sees it again.
func (d *dispatch) step() {
	now := d.env.Now()
	d.lastUse = now
	d.next = now.Add(AskAfter)
	if !d.granted.IsZero() && !now.Before(d.granted.Add(d.lasts)) {
		d.give(now)
		return
	}
	d.update(TakeUpdate, Request{d.name, d.name + "-d1", d.slots}, func(result any) {
		d.answered(now, result.(Answer))
		d.schedule()
	})
}

func (d *dispatch) answered(now time.Time, a Answer) {
	switch {
	case !a.Granted && !d.granted.IsZero():
		d.t.Errorf("%s lost its lease at %v", d.name, now)
		d.next = time.Time{}
	case !a.Granted && d.gaveUp:
		d.next = time.Time{}
	case !a.Granted:
		d.next = now.Add(a.AskAgain)
	default:
		d.has(now, a)
	}
}

// has works on with a lease: until it is killed, if it is.
func (d *dispatch) has(now time.Time, a Answer) {
	if d.granted.IsZero() {
		d.granted = now
		d.noMoreThanSlots(now)
	}
	d.validTil = a.Expires
	d.next = now.Add(renewAfter)
	if d.killed > 0 && !now.Before(d.granted.Add(d.killed)) {
		d.next = time.Time{}
	}
}

func (d *dispatch) noMoreThanSlots(now time.Time) {
	holders := 0
	for _, other := range d.dispatches {
		if other != d && now.Before(other.validTil) {
			holders++
		}
	}
	if holders >= d.slots {
		d.t.Errorf("%s is granted a lease at %v beside %d others", d.name, now, holders)
	}
	if now.Before(d.limited) {
		d.t.Errorf("%s is granted a lease at %v, before %v", d.name, now, d.limited)
	}
}

func (d *dispatch) give(now time.Time) {
	r := Release{ID: d.name + "-d1"}
	if d.limit > 0 {
		r.LimitedUntil = now.Add(d.limit)
		d.limited = r.LimitedUntil
	}
	d.update(GiveUpdate, r, func(any) { d.next, d.validTil = time.Time{}, time.Time{} })
}

func (d *dispatch) update(name string, arg any, done func(result any)) {
	d.env.UpdateWorkflow(name, fmt.Sprint(d.name, d.env.Now().UnixNano()), &testsuite.TestUpdateCallback{
		OnAccept: func() {},
		OnReject: func(err error) { d.t.Errorf("%s: %s is refused: %v", d.name, name, err) },
		OnComplete: func(result any, err error) {
			if err != nil {
				d.t.Errorf("%s: %s: %v", d.name, name, err)
				return
			}
			done(result)
		},
	}, arg)
}
