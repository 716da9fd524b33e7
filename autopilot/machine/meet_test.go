package machine

import (
	"fmt"
	"testing"
)

func TestTasksMeetWhereTheirFootprintsMay(t *testing.T) {
	for _, c := range []struct {
		a, b string
		meet bool
	}{
		{"a.go", "a.go", true},
		{"a.go", "b.go", false},
		{"a.go", "A.go", true},
		{"docs/README.md", "Docs/readme.md", true},
		{"PKG", "pkg/a.go", true},
		{"pkg/*.GO", "Pkg/a.go", true},
		{"./a.go", "a.go", true},
		{"pkg", "pkg/a.go", true},
		{"pkg", "pkg2/a.go", false},
		{"pkg/*.go", "pkg/a.go", true},
		{"pkg/*.go", "pkg/sub/a.go", false},
		{"pkg/**", "pkg/sub/a.go", true},
		{"pkg/**", "pkg", true},
		{"pkg/**", "other/**", false},
		{"pkg/**/a.go", "pkg/**/b.go", true},
		{"docs/x/**", "docs", true},
		{"**/*.md", "a/b.md", true},
		{"**/*.md", "a/b.go", false},
		{".", "a.go", true},
		{"[", "a.go", true},
	} {
		a, b := Task{Files: []string{c.a}}, Task{Owns: []string{c.b}}
		if Meet(a, b) != c.meet || Meet(b, a) != c.meet {
			t.Errorf("%s and %s: want %t", c.a, c.b, c.meet)
		}
	}
}

func TestTasksWhoseFilesDifferInCaseAloneAreInNoWaveTogether(t *testing.T) {
	task := func(id, file string) Task { return Task{ID: id, Kind: KindPlan, Files: []string{file}} }
	waves := Waves(State{Parallel: 3, Tasks: []Task{task("a", "README.md"), task("b", "readme.md"), task("c", "Readme.txt")}})
	if got := fmt.Sprint(waves); got != "[[a c] [b]]" {
		t.Errorf("the waves are %s", got)
	}
}
