package transition

import (
	"testing"

	"autopilot/autopilot/machine"
)

// TestADispatchThatNobodyMadeIsNotCounted: a worker without a key would use up the budget of agent runs. Journals of older programs lead
// where they led.
func TestADispatchThatNobodyMadeIsNotCounted(t *testing.T) {
	for _, c := range []struct {
		outcome machine.DispatchOutcome
		edition int
		want    int
	}{
		{machine.OutcomeAuth, machine.Edition, 0},
		{machine.OutcomeNotMade, machine.Edition, 0},
		{machine.OutcomeLimited, machine.Edition, 1},
		{machine.OutcomeAuth, 5, 1},
	} {
		first := fresh(machine.Fast, machine.Low)
		first.Edition = c.edition
		w := newWorld(t, newReached(), first)
		w.until(words{"PLAN", "plan_reply"})
		if err := w.report(dispatchEnded(w, words{string(c.outcome)})); err != nil {
			t.Fatal(err)
		}
		if spent := w.s.SpentHere(); w.s.Usage.Dispatches != c.want || spent.Usage.Dispatches != c.want {
			t.Errorf("%s, edition %d: %d dispatches, %d of the phase, want %d", c.outcome, c.edition, w.s.Usage.Dispatches, spent.Usage.Dispatches, c.want)
		}
	}
}
