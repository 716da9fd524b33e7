package transition

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

// TestWordsOfAnOutageCountInTheirAttempt: three of them spend nothing; what is known of a server counts for none.
func TestWordsOfAnOutageCountInTheirAttempt(t *testing.T) {
	for place, task := range map[string]string{"PLAN plan_reply": "", "EXECUTE reply": "task-001"} {
		w := newWorld(t, newReached(), fresh(machine.Fast, machine.Low))
		heard := func(textOnly bool) {
			w.until(words(strings.Fields(place)))
			end := dispatchEnded(w, words{"rate_limited"})
			end.Ended.Outage, end.Ended.TextOnly = true, textOnly
			if err := w.report(end); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 2 * machine.MaxHeard {
			if heard(n%2 == 0); w.s.HeardEnough(task) != (n >= 2*machine.MaxHeard-2) {
				t.Errorf("%s: after %d outages enough was heard: %t", place, n+1, w.s.HeardEnough(task))
			}
		}
		w.until(words(strings.Fields(place)))
		if err := w.report(dispatchEnded(w, words{"crashed"})); err != nil {
			t.Fatal(err)
		}
		if w.s.HeardEnough(task) {
			t.Errorf("%s: the next attempt begins with those of the last one", place)
		}
	}
}
