package transition

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// atPlanWanted is a session that waits for a person's plan; one file was there before.
func atPlanWanted(t *testing.T) *world {
	w := newWorld(t, newReached(), fresh(machine.Fast, machine.High))
	w.until(words{"PLAN"})
	w.s.Phases[0].Planning.Stood = machine.Stood{"old.md": "1"}
	return w
}

func TestWhatADraftLeavesStandsThereLikeAnOldPlan(t *testing.T) {
	w := atPlanWanted(t)
	before := w.s
	began := machine.Event{Type: machine.Used, Usage: &machine.Usage{Dispatches: 1}, Phase: 1, Dispatch: &machine.Dispatch{ID: "d", Purpose: "draft"}, Stood: machine.Stood{"old.md": "1", "mine.md": "2"}}
	if err := w.report(began); err != nil || w.s.Aside == nil {
		t.Fatalf("aside %v (%v)", w.s.Aside, err)
	}
	stood := machine.Stood{"old.md": "1", "left.md": "3"}
	if err := w.report(machine.Event{Type: machine.AsideEnded, Stood: stood}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stood, w.s.Phases[0].Planning.Stood); diff != "" || w.s.Aside != nil {
		t.Errorf("aside %v, stood (-want +got):\n%s", w.s.Aside, diff)
	}
	if before.Aside != nil || len(before.Phases[0].Planning.Stood) != 1 {
		t.Error("the state that the events came upon was changed")
	}
	if err := w.report(machine.Event{Type: machine.AsideEnded}); err == nil {
		t.Error("it ended twice")
	}
}

func TestADraftOfAnOlderProgramHasNoEnd(t *testing.T) {
	w := atPlanWanted(t)
	if err := w.report(machine.Event{Type: machine.Used, Usage: &machine.Usage{Dispatches: 1}, Phase: 1, Dispatch: &machine.Dispatch{ID: "d", Purpose: "draft"}}); err != nil || w.s.Aside != nil {
		t.Errorf("aside %v (%v)", w.s.Aside, err)
	}
}
