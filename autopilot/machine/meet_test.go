package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
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
		{"src/api", "src/**/*.txt", true},
		{"src/api/", "**/*.go", true},
		{"src/v1.2/", "**/*.go", true},
		{"Src/API/", "src/**", true},
		{"src/api/v2", "src/*/v2/*.go", true},
		{".github", "**/*.yml", true},
		{"src/api", "src/{api,web}/*.go", true},
		{"src/api", "src/*.txt", false},
		{"src/api", "web/**", false},
		{"src/api/v2", "src/*/v1/**", false},
		{"src/a.c", "src/**/*.txt", false},
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

func TestAGlobMeetsEachFolderThatHasAFileOfIt(t *testing.T) {
	names := []string{"src", "api", "v2", "a.go", "b.txt"}
	rapid.Check(t, func(t *rapid.T) {
		glob := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append([]string{"*", "**", "*.go", "{src,api}", "?pi"}, names...)), 1, 5).Draw(t, "glob"), "/")
		file := rapid.SliceOfN(rapid.SampledFrom(names), 2, 5).Draw(t, "file")
		folder := strings.Join(file[:rapid.IntRange(1, len(file)-1).Draw(t, "folder")], "/") + "/"
		if ok, _ := doublestar.Match(glob, strings.Join(file, "/")); ok && !overlap(glob, folder) {
			t.Fatalf("%s matches %s, and does not meet %s", glob, strings.Join(file, "/"), folder)
		}
	})
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
