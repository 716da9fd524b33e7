package integrity

import (
	"slices"
	"testing"
)

func TestScriptMayChangeWhereThePlanNamesIt(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change Change
		a      Allowed
		found  bool
	}{
		{"not named", edit("ci/check.sh", "a\n", "a", "b"), Allowed{Files: []string{"good.txt"}}, true},
		{"a glob over everything", edit("ci/check.sh", "a\n", "a", "b"), Allowed{Owns: []string{"**"}}, true},
		{"its folder", edit("ci/check.sh", "a\n", "a", "b"), Allowed{Files: []string{"ci/"}}, true},
		{"in Files", edit("ci/check.sh", "a\n", "a", "b"), Allowed{Files: []string{"ci/check.sh"}}, false},
		{"in Owns", edit("ci/check.sh", "a\n", "a", "b"), Allowed{Owns: []string{"ci/check.sh"}}, false},
		{"no test, under Changes tests", edit("ci/check.sh", "a\n", "a", "b"), Allowed{ChangesTests: []string{"ci/check.sh"}}, true},
		{"with tests: what it was is run", edit("tests/run.sh", "a\n", "a", "b"), Allowed{Owns: []string{"**"}}, false},
		{"new", added("ci/check.sh", "a\n"), Allowed{Files: []string{"good.txt"}}, false},
		{"emptied", edit("ci/check.sh", "a\n", "a\n", ""), Allowed{Owns: []string{"**"}}, true},
		{"deleted", deleted("ci/check.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
		{"renamed", renamed("ci/check.sh", "ci/old.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
		{"another mode, or a link", edit("ci/check.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found := slices.ContainsFunc(Integrity([]Change{tc.change}, tc.a, tc.change.before()), func(f Finding) bool {
				return f.Severity == Critical && f.File == tc.change.before() && f.Title == "a CI or validation file was "+string(tc.change.Status)
			})
			if found != tc.found {
				t.Errorf("found: %v", found)
			}
		})
	}
}

func TestFilesAreAsTheyWereBeforeChanges(t *testing.T) {
	before := Before([]Change{edit("a", "x\n", "x", "y"), deleted("b", "x\n"), renamed("c", "d", "x\n"), added("e", "x\n")})
	for file, want := range map[string]string{"a": "x\n", "b": "x\n", "c": "x\n", "d": "", "e": ""} {
		if was, is := before(file); string(was) != want || !is {
			t.Errorf("%s: got %q, %v", file, was, is)
		}
	}
	if _, is := before("f"); is {
		t.Error("a file that did not change")
	}
}
