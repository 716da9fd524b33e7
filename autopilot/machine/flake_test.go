package machine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlakesAreListedOncePerPhase(t *testing.T) {
	before := State{CurrentPhase: 1, Flakes: []Flake{{Test: "a", Command: "go test", Phase: 0, Times: 1}}}
	s := before.clone()
	checks := []Check{{Command: "go test", Outcome: CheckPassed, Flakes: []string{"a", "b"}}, {Command: "go test", Dir: "sub", Flakes: []string{"a"}}}
	settle(&s, "task-002", checks)
	settle(&s, "task-002", checks[:1])
	want := []Flake{
		{Test: "a", Command: "go test", Phase: 1, Task: "task-002", Times: 2},
		{Test: "b", Command: "go test", Phase: 1, Task: "task-002", Times: 2},
		{Test: "a", Command: "go test (in sub)", Phase: 1, Task: "task-002", Times: 1},
	}
	if diff := cmp.Diff(want, s.FlakesOf(1)); diff != "" {
		t.Error(diff)
	}
	s.Flakes[0].Times = 7
	if before.Flakes[0].Times != 1 || len(s.FlakesOf(0)) != 1 {
		t.Errorf("the state before was changed: %+v", before.Flakes)
	}
}

func TestFindingOfACheckNamesTheTestsToBlame(t *testing.T) {
	for _, tc := range []struct {
		blamed []string
		want   string
	}{
		{nil, "go test failed"},
		{[]string{"x.TestA"}, "go test failed: x.TestA"},
		{[]string{"a", "b", "c", "d"}, "go test failed"},
	} {
		if got := fromChecks([]Check{{Command: "go test", Outcome: CheckFailed, Blamed: tc.blamed}})[0].Title; got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
