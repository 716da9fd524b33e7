package facts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/git/refs"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/autopilot/workspace"
)

// desk is a session in memory.
type desk struct{ state machine.State }

func (d *desk) State() machine.State { return d.state }

func (d *desk) Apply(e machine.Event) (machine.State, error) {
	e.Rev = d.state.Revision + 1
	next, err := transition.Apply(d.state, e)
	if err == nil {
		d.state = next
	}
	return next, err
}

func newFacts(t *testing.T) (Facts, *desk) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := git.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{machine.State{
		SessionID: "s", CurrentState: machine.Execute, Step: machine.StepPick, RigorLevel: machine.Fast, SchemaVersion: machine.SchemaVersion, Revision: 1,
		Phases: []machine.Phase{{Number: "1", Name: "Greet", Status: machine.PhaseInProgress}},
	}}
	n := 0
	return Facts{
		Snapshots: workspace.Snapshots{Repo: repo, Refs: "refs/autopilot/spec/snap/"}, Journal: journal.New(d, nil, nil, nil, time.Now),
		NewID: func() string { n++; return fmt.Sprint(n) }, Known: &Known{texts: map[string][]byte{}},
	}, d
}

func TestFactsAreReadByALaterProcess(t *testing.T) {
	f, d := newFacts(t)
	for _, name := range []string{"check a/1", "check a/2", "check b/1"} {
		if err := f.Keep(t.Context(), name, []string{name}); err != nil {
			t.Fatal(err)
		}
	}
	later := f
	later.Known = &Known{}
	for name, want := range map[string]bool{"check a/1": false, "check a/2": true, "check b/1": true, "check c/1": false} {
		var got []string
		kept, err := later.Get(t.Context(), name, &got)
		if err != nil || kept != want || kept && got[0] != name {
			t.Errorf("%s: kept %v, %q, %v", name, kept, got, err)
		}
	}
	before := d.state.Snapshots.Of("check b/1")
	if err := f.Keep(t.Context(), "check b/1", []string{"check b/1"}); err != nil || d.state.Snapshots.Of("check b/1") != before {
		t.Errorf("the same facts got another commit: %v", err)
	}
	if err := f.Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if refs, err := f.Repo.Refs.List(t.Context(), f.Refs); err != nil || len(refs) != 2 {
		t.Errorf("refs of what nothing compares with are left: %v, %v", refs, err)
	}
}

func TestOwnMovesAreNothingWhereTheOtherAgentsHaveOtherClones(t *testing.T) {
	f, d := newFacts(t)
	d.state.InFlight = []machine.InFlight{{Dispatch: &machine.Dispatch{ID: "d"}}}
	if err := f.AddBranch(t.Context(), "lane", "c1"); err != nil {
		t.Fatal(err)
	}
	before := len(d.state.Snapshots)
	f.Alone = true
	var g refs.Guard
	n := 0
	if err := errors.Join(f.AddBranch(t.Context(), "another", "c1"), f.IgnoreMoves(t.Context(), &g, &n)); err != nil || len(d.state.Snapshots) != before || len(g.Ours) > 0 {
		t.Errorf("the branch of another clone's lane is looked for here: %+v, %v", g.Ours, err)
	}
}

func TestOwnMovesAreKeptWhileSomebodyIsAtWork(t *testing.T) {
	f, d := newFacts(t)
	if err := f.AddBranch(t.Context(), "lane", "c1"); err != nil || len(d.state.Snapshots) > 0 {
		t.Errorf("nobody could be blamed, and it was kept: %v", err)
	}
	d.state.InFlight = []machine.InFlight{{Dispatch: &machine.Dispatch{ID: "d"}}}
	if err := f.AddBranch(t.Context(), "lane", "c1"); err != nil {
		t.Fatal(err)
	}
	n, err := f.CountMoves(t.Context())
	if err != nil || n != 1 {
		t.Fatalf("%d moves, %v", n, err)
	}
	if err := f.AddPutBack(t.Context(), []refs.Moved{{Name: "refs/heads/x", Before: "c1", After: "c2"}}); err != nil {
		t.Fatal(err)
	}
	var g refs.Guard
	if err := f.IgnoreMoves(t.Context(), &g, &n); err != nil || n != 2 || len(g.Ours) != 1 || g.Ours[0] != (refs.Moved{Name: "refs/heads/x", Before: "c2", After: "c1"}) {
		t.Errorf("since: %+v of %d, %v", g.Ours, n, err)
	}
	d.state.InFlight = nil
	if n, err := f.CountMoves(t.Context()); err != nil || n != 0 || len(d.state.Snapshots) > 0 {
		t.Errorf("nobody is at work any more: %d moves, %v", n, err)
	}
}
