package checks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
)

func TestTasksThatChangeNothingAllowNothing(t *testing.T) {
	t.Parallel()
	none, free, listed := machine.Task{FilesNone: true}, machine.Task{}, machine.Task{Files: []string{"a.txt"}, ChangesTests: []string{"a_test.go"}}
	for name, c := range map[string]struct {
		tasks []machine.Task
		want  integrity.Allowed
	}{
		"none":             {[]machine.Task{none, none}, integrity.Allowed{FilesNone: true}},
		"none, with owns":  {[]machine.Task{{FilesNone: true, Owns: []string{"gen/**"}}}, integrity.Allowed{FilesNone: true, Owns: []string{"gen/**"}}},
		"none and any":     {[]machine.Task{none, free}, integrity.Allowed{Owns: []string{"**"}}},
		"none and a list":  {[]machine.Task{none, listed}, integrity.Allowed{Files: []string{"a.txt"}, ChangesTests: []string{"a_test.go"}}},
		"any and a list":   {[]machine.Task{free, listed}, integrity.Allowed{Files: []string{"a.txt"}, ChangesTests: []string{"a_test.go"}}},
		"any":              {[]machine.Task{free}, integrity.Allowed{Owns: []string{"**"}}},
		"no task, as ever": {nil, integrity.Allowed{Owns: []string{"**"}}},
	} {
		if diff := cmp.Diff(c.want, allowedBy(c.tasks)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatBuildsAndJudgesIsNotAnnouncedByTheWay(t *testing.T) {
	t.Parallel()
	tasks := []machine.Task{{
		Files: []string{"calc.go", "x.snap"}, Owns: []string{"**"}, ChangesTests: []string{"calc_test.go", "web/**", "tests/**", "Cargo.toml"},
	}}
	q := proof.Question{Scripts: map[string]bool{"check.sh": true, "tests/run.sh": true}}
	for _, path := range []string{
		"calc.go", "calc_test.go", "x.snap", "other_test.go", "go.mod", "Makefile", "check.sh", "web/package.json", "web/a.test.js", "tests/run.sh", "tests/case", "Cargo.toml",
	} {
		q.Changes = append(q.Changes, proof.Change{Path: path})
	}
	want := []string{"calc_test.go", "x.snap", "web/a.test.js", "tests/run.sh", "tests/case", "Cargo.toml"}
	if diff := cmp.Diff(want, announced(q, tasks)); diff != "" {
		t.Error(diff)
	}
}
