package worker

import (
	"cmp"
	"context"
	"sync"

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

// report has the heart say what is at work, and gives the hub the work that is not done yet, until stop is called: also while what was cut
// off is saved. Some was left by the last attempt.
func (d *desk) report(ctx context.Context, h *heart, board *atwork.Board, left flow.Left) (stop func()) {
	before, said := d.State().Usage, ""
	d.left.Store(&left)
	h.sayAs(func() Beat {
		if works := board.Now().Works; len(works) > 0 {
			said = works[len(works)-1].LastLine
		}
		return d.says(said, before)
	})
	saving, end := context.WithCancel(context.WithoutCancel(ctx))
	var saver sync.WaitGroup
	saver.Go(func() { d.saveWorks(saving, d.worker.SaveEvery) })
	return func() {
		end()
		saver.Wait() // before somebody else gets the clone
		h.say(h.beats())
	}
}

// says is a heartbeat: after the usage that the act began with.
func (d *desk) says(line string, before machine.Usage) Beat {
	b := Beat{Line: *cmp.Or(d.waits.Load(), &line), Usage: d.State().Usage.Minus(before), Left: *d.left.Load()}
	b.Counted = int(d.counted.Load()) // before what is owed: else what is recorded in between would be counted twice
	if o := d.owed.Load(); o != nil {
		b.Owed = &o.Event
	}
	return b
}
