package worker

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"autopilot/cmd/console"
	"autopilot/temporal/flow"
)

func TestASessionGetsTheCloneWhereItWasLast(t *testing.T) {
	var p places
	one := p.take("/hub", "one")
	two := p.take("/hub", "two")
	if one == two {
		t.Fatal("two steps are in one clone")
	}
	if p.take("/other", "one") != "/other/1" {
		t.Error("another repository has no clone of its own")
	}
	p.give(one)
	p.give(two)
	if got := p.take("/hub", "two"); got != two {
		t.Errorf("the session two is in %s, not in %s", got, two)
	}
	if got := p.take("/hub", "three"); got != one {
		t.Errorf("a new session is in %s, not in %s, which is free", got, one)
	}
}

// TestACloneInWhichAStepWasCutOffIsMadeAnew: an agent may have left anything there.
func TestACloneInWhichAStepWasCutOffIsMadeAnew(t *testing.T) {
	bare := filepath.Join(t.TempDir(), "hub.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", bare).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir, job := t.TempDir(), flow.Job{Repository: "hub"}
	started := func() *Worker {
		return &Worker{Host: &console.Host{Environ: os.Environ()}, Dir: dir, Repositories: map[string]string{"hub": bare}}
	}
	w := started()
	for n, c := range []struct {
		whole, killed bool // how the step ends
		left          bool // what the one before left is still there
	}{{whole: true}, {whole: true, left: true}, {left: true}, {whole: true}, {killed: true, left: true}, {whole: true}} {
		clone, give, err := w.clone(t.Context(), job, "shop")
		if err != nil {
			t.Fatal(err)
		}
		left := filepath.Join(clone.Dir, ".git", "hooks", "post-checkout")
		if _, err := os.Stat(left); (err == nil) != c.left {
			t.Errorf("step %d: what the one before left is there: %v", n, err == nil)
		}
		if err := os.WriteFile(left, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if c.killed {
			w = started()
		} else {
			give(c.whole)
		}
	}
	if _, _, err := w.clone(context.Background(), flow.Job{Repository: "other"}, "shop"); err == nil {
		t.Error("the worker takes a repository that it doesn't name")
	}
}

func TestTheWorkOfALostWorkerCountsUntilTheNextEvent(t *testing.T) {
	left := flow.Left{Work: "abc", Saves: 2}
	if left.Current(2) != "abc" || left.Current(3) != "" || (flow.Left{}).Current(0) != "" {
		t.Error("a tree from before an event is laid out")
	}
}

func TestAgentsDoNotLearnHowToReachTheServer(t *testing.T) {
	if got := Environ([]string{"PATH=/bin", "TEMPORAL_API_KEY=secret", "HOME=/root"}); !slices.Equal(got, []string{"PATH=/bin", "HOME=/root"}) {
		t.Errorf("they have %q", got)
	}
}

func TestEachMessageSaysWhoseItIs(t *testing.T) {
	var out bytes.Buffer
	fmt.Fprintln(log{&out, "autopilot/shop/spec 12"}, "14:02:11    Committed\n            a line more")
	if got := out.String(); got != "autopilot/shop/spec 12  14:02:11    Committed\n            a line more\n" {
		t.Errorf("it is %q", got)
	}
}
