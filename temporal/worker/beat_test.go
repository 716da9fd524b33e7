package worker

import (
	"reflect"
	"testing"
	"time"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/sessions/atwork"
	"autopilot/temporal/flow"
)

// TestAHeartbeatSaysWhatTheNextAttemptNeeds, and what status shows: what the agent says or waits for, what its calls cost, what is owed of
// that, and which working tree the hub has.
func TestAHeartbeatSaysWhatTheNextAttemptNeeds(t *testing.T) {
	d, _, _, _ := newDesk(t)
	cost := machine.Usage{Dispatches: 1, InputTokens: 7}
	used := machine.Event{Type: machine.Used, Usage: &cost}
	board := atwork.New(time.Now)
	h := &heart{}
	var before Beat
	act := func() {
		defer d.report(t.Context(), h, board, flow.Left{})()
		board.Begin("run", journal.Work{})
		board.Said("run", "reading main.go")
		d.counted.Store(3)
		d.owed.Store(&owed{used, time.Now()})
		d.left.Store(&flow.Left{Work: "c1", Saves: 2})
		before = h.beats()
	}
	act()
	want := Beat{Line: "reading main.go", Usage: cost, Left: flow.Left{Work: "c1", Saves: 2}, Owed: &used, Counted: 3}
	if after := h.beats(); !reflect.DeepEqual(before, want) || !reflect.DeepEqual(after, want) {
		t.Errorf("it says %+v, and at the end %+v, not %+v", before, after, want)
	}
	waits := "waits for the remote: it is away"
	d.waits.Store(&waits)
	if got := d.says("reading main.go", machine.Usage{}).Line; got != waits {
		t.Errorf("it says %q", got)
	}
}
