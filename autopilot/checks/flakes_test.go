package checks

import (
	"strings"
	"testing"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/validate/results"
)

// desk is a session's folder without a session, and a state that nothing changes.
type desk struct {
	journal.Store

	dir string
	s   machine.State
}

func (d *desk) Dir() string          { return d.dir }
func (d *desk) State() machine.State { return d.s }
func (d *desk) WriteJSON(name string, v any) error {
	return plainfile.WriteJSON(d.dir+"/"+name, v)
}

func TestTestsAreComparedWithThePhaseBeforeElseWithTheBaseline(t *testing.T) {
	d := &desk{dir: t.TempDir(), s: machine.State{Phases: make([]machine.Phase, 3)}}
	j := Judge{Records: d, Journal: journal.New(d, nil, nil, nil, nil)}
	ran := func(n int, command string) validate.Evidence {
		return validate.Evidence{Command: command, Outcome: validate.Passed, Counts: &results.TestCounts{Ran: n, Passed: n}}
	}
	keep := func(phase int, list ...validate.Evidence) {
		t.Helper()
		if err := j.KeepTests(phase, list); err != nil {
			t.Fatal(err)
		}
	}
	keep(0, ran(10, "a"), validate.Evidence{Command: "b"})
	keep(2, ran(8, "a"), ran(3, "c"))
	for _, tc := range []struct {
		name  string
		phase int // 0-based
		now   validate.Evidence
		tasks []machine.Task
		want  string // empty: no finding
	}{
		{"fewer than at the baseline", 0, ran(9, "a"), nil, "10 tests ran before, 9 now"},
		{"the phase before has no record", 1, ran(9, "a"), nil, "10 tests ran before, 9 now"},
		{"more than at the phase before", 2, ran(9, "a"), nil, ""},
		{"fewer than at the phase before", 2, ran(7, "a"), nil, "8 tests ran before, 7 now"},
		{"a command that is newer than the baseline", 2, ran(2, "c"), nil, "3 tests ran before, 2 now"},
		{"a command that nobody knows", 2, ran(1, "d"), nil, ""},
		{"announced", 0, ran(9, "a"), []machine.Task{{}, {ChangesTests: []string{"a_test.go"}}}, ""},
		{"one that did not end", 0, validate.Evidence{Command: "a", Outcome: validate.TimedOut, Counts: &results.TestCounts{}}, nil, ""},
	} {
		d.s.CurrentPhase = tc.phase
		found := j.Lost(d.dir, []validate.Evidence{tc.now}, tc.tasks)
		if (len(found) == 1) != (tc.want != "") || len(found) == 1 && (found[0].Severity != machine.Critical || !strings.Contains(found[0].Rationale, tc.want)) {
			t.Errorf("%s: %+v", tc.name, found)
		}
	}

	// A phase that is done again has no old record to go by.
	keep(2)
	d.s.CurrentPhase = 2
	if found := j.Lost(d.dir, []validate.Evidence{ran(9, "a")}, nil); len(found) != 1 {
		t.Error("an empty record was kept from taking the old one's place")
	}
}

func TestBaselineTellsWhichTestsFailedAndWhichRan(t *testing.T) {
	d := &desk{dir: t.TempDir(), s: machine.State{Baseline: &machine.Baseline{Checks: []machine.Check{{Command: "a", Dir: ".", FailedTests: []string{"old"}}}}}}
	j := Judge{Records: d, Journal: journal.New(d, nil, nil, nil, nil)}
	if err := j.KeepTests(0, []validate.Evidence{{Command: "a", Results: map[string]results.TestResult{"old": results.TestFailed, "x": results.TestPassed}}}); err != nil {
		t.Fatal(err)
	}
	got := j.baselineTests(validate.Evidence{Command: "a"})
	if len(got.FailedTests) != 1 || got.Results["x"] != results.TestPassed || got.Command != "a" {
		t.Errorf("got %+v", got)
	}
	if got := j.baselineTests(validate.Evidence{Command: "b"}); got.Command != "" || len(got.FailedTests)+len(got.Results) > 0 {
		t.Errorf("of another command: %+v", got)
	}
}

func TestFlakesAreNamedForPeople(t *testing.T) {
	s := machine.State{
		Phases: []machine.Phase{{Number: "1"}, {Number: "2b"}},
		Flakes: []machine.Flake{{Test: "x", Command: "go test", Phase: 1, Times: 1}, {Test: "y", Command: "go test", Times: 3}},
	}
	want := "x (go test, phase 2b)|y (go test, phase 1, 3 times)"
	if got := machine.FlakeLine(s, s.Flakes[0]) + "|" + machine.FlakeLine(s, s.Flakes[1]); got != want {
		t.Errorf("got %s", got)
	}
}
