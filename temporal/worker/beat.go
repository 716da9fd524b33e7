package worker

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"

	"autopilot/autopilot/machine"
	"autopilot/sessions/atwork"
	"autopilot/temporal/flow"
)

// Beat is what the heartbeat of an act says.
type Beat struct {
	Line  string        `json:"line,omitempty"` // the last one of what is at work
	Usage machine.Usage `json:"usage,omitzero"` // of the session, since the act began
	flow.Left

	Owed    *machine.Event `json:"owed,omitempty"` // what calls cost that the workflow does not know yet
	Counted int            `json:"counted"`        // how often it had been recorded by then
}

// lastBeat is what the last attempt said before it was lost.
func lastBeat(ctx context.Context) (b Beat) {
	if activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &b) // of another version: without it the recorded tree serves
	}
	return b
}

// alive tells the server that the worker is there until stop is called: a clone of a large repository, and a slow hub, take longer
// than a silent worker is waited for. It says what the last heartbeat said, so that a tree that only that one names is not lost.
func alive(ctx context.Context) (stop func()) {
	b := lastBeat(ctx)
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			activity.RecordHeartbeat(ctx, b)
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

// beatEvery is how often the server hears that the worker is there.
const beatEvery = 5 * time.Second

// beat tells the server what is at work until the context ends, and gives the hub the work that is not done yet.
func (d *desk) beat(ctx context.Context, board *atwork.Board, saveEvery time.Duration) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	saved := make(chan flow.Left, 1)
	var saving sync.WaitGroup
	saving.Go(func() { d.saveWorks(ctx, saveEvery, saved) })
	defer saving.Wait()
	b, before, said := lastBeat(ctx), d.State().Usage, ""
	for ctx.Err() == nil {
		if works := board.Now().Works; len(works) > 0 {
			said = works[len(works)-1].LastLine
		}
		b.Line = *cmp.Or(d.waits.Load(), &said)
		b.Usage = d.State().Usage.Minus(before)
		b.Counted, b.Owed = int(d.counted.Load()), nil // in this order: else what is recorded in between would be counted twice
		if o := d.owed.Load(); o != nil {
			b.Owed = &o.Event
		}
		activity.RecordHeartbeat(ctx, b)
		select {
		case <-ctx.Done():
		case <-tick.C:
		case b.Left = <-saved:
		}
	}
}

// saveWorks gives the hub the working tree every so often, and tells which commit it is. The heart goes on beating while the hub takes
// its time.
func (d *desk) saveWorks(ctx context.Context, every time.Duration, saved chan<- flow.Left) {
	if every <= 0 {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		work, saves, err := d.saveWork(ctx)
		if err != nil {
			fmt.Fprintf(d.worker.Host.Err, "%s %s: couldn't save the work so far, retrying in %s: %v\n", d.id, d.act.ID, every, err)
			continue
		}
		select {
		case saved <- flow.Left{Work: work, Saves: saves}:
		case <-ctx.Done():
			return
		}
	}
}
