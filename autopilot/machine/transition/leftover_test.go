package transition

import (
	"testing"

	"autopilot/autopilot/machine"
)

// failing brings a session to the start of task-001 and lets it fail once.
func failing(t *testing.T, leftover ...machine.Left) *world {
	t.Helper()
	w := newWorld(t, newReached(), fresh(machine.Standard, machine.Low))
	w.until(words{"EXECUTE", "pick"})
	start := smooth(w.s)
	start.Leftover = leftover
	if err := w.report(start); err != nil {
		t.Fatal(err)
	}
	w.until(words{"EXECUTE", "validate"})
	if err := w.report(checked(w, words{"failed"})); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWhatOthersLeftCountsFromTheFirstStart(t *testing.T) {
	w := failing(t, machine.Left{Path: "others.txt"})
	again := smooth(w.s)
	again.Leftover = []machine.Left{{Path: "mine.txt"}}
	if err := w.report(again); err != nil {
		t.Fatal(err)
	}
	if got := w.s.Tasks[0].Leftover; len(got) != 1 || got[0].Path != "others.txt" {
		t.Errorf("left by others: %+v", got)
	}
}

func TestAnotherTaskUnderAKnownIDWritesOverNoRecord(t *testing.T) {
	w := failing(t)
	edited := planned(w, words{"1", "sha=edited"})
	edited.Plan.Tasks[0].Validation = "true"
	if err := w.report(edited); err != nil {
		t.Fatal(err)
	}
	if got := w.s.Tasks[0]; got.Dispatches != 1 || len(got.Attempts) != 0 {
		t.Errorf("%d dispatches, %d attempts; its own first attempt is dispatch 2", got.Dispatches, len(got.Attempts))
	}
}
