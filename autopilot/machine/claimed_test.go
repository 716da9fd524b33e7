package machine

import (
	"slices"
	"testing"
)

func TestWhatATaskMadeItsOwnStaysSoUntilItBeginsAnew(t *testing.T) {
	w := newWorld(t, newReached(), fresh(Standard, Low))
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

func TestATaskAnnouncesWhatLiesInItsFootprint(t *testing.T) {
	task := Task{Files: []string{"a.txt", "./docs/"}, Owns: []string{"gen/**/*.go"}, ChangesTests: []string{"a_test.txt"}}
	for file, want := range map[string]bool{
		"a.txt": true, "docs/x/y.md": true, "gen/x.go": true, "gen/deep/x.go": true, "a_test.txt": true,
		"A.txt": false, "gen/x.txt": false, "doc": false, "docs2/x": false, "b/a.txt": false,
	} {
		if got := task.Announces(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if (Task{}).Announces("a.txt") {
		t.Error("a task without a footprint announces nothing")
	}
}
