package transition

import (
	"slices"
	"testing"

	"autopilot/autopilot/machine"
)

func TestWhatATaskMadeItsOwnStaysSoUntilItBeginsAnew(t *testing.T) {
	w := newWorld(t, newReached(), fresh(machine.Standard, machine.Low))
	w.until(words{"EXECUTE", "reply"})
	for _, made := range [][]string{{"gen/a"}, {"gen/b", "gen/a"}} {
		ended := smooth(w.s)
		ended.Claimed = made
		before := w.s
		if err := w.report(ended); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(before.Tasks[0].Claimed, "gen/b") {
			t.Error("the state before the event was changed")
		}
		if err := w.report(checked(w, words{"failed"})); err != nil {
			t.Fatal(err)
		}
		w.until(words{"EXECUTE", "reply"})
	}
	if got := w.s.Tasks[0].Claimed; !slices.Equal(got, []string{"gen/a", "gen/b"}) {
		t.Errorf("made its own: %q", got)
	}
}
