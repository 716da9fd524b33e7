package integrity

import "testing"

func TestWhatAnnouncesThatTestsChange(t *testing.T) {
	for _, tc := range []struct {
		a    Allowed
		path string
		want bool
	}{
		{Allowed{ChangesTests: []string{"**"}}, "calc_test.go", true},
		{Allowed{ChangesTests: []string{"calc_test.go"}}, "calc_test.go", true},
		{Allowed{Files: []string{"calc_test.go"}}, "calc_test.go", false},
		{Allowed{Files: []string{"conftest.py"}}, "conftest.py", false},
		{Allowed{Files: []string{"x.snap"}}, "x.snap", true},
		{Allowed{Owns: []string{"testdata/golden/**"}}, "testdata/golden/x.txt", true},
		{Allowed{Owns: []string{"**/*.{snap,ambr}"}}, "a/x.snap", true},
		{Allowed{Owns: []string{"**"}}, "x.snap", false},
		{Allowed{Owns: []string{"n-snapshot/**"}}, "n-snapshot/x.snap", false},
		{Allowed{Files: []string{"package.json"}}, "package.json", false},
		{Allowed{ChangesTests: []string{"**"}}, "package.json", false},
		{Allowed{ChangesTests: []string{"package.json"}}, "package.json", true},
		{Allowed{Files: []string{"Makefile"}}, "Makefile", true},
		{Allowed{Files: []string{"jest.config.js"}}, "jest.config.js", true},
		{Allowed{Owns: []string{"**"}}, "jest.config.js", false},
		{Allowed{Files: []string{"ci/check.sh"}}, "ci/check.sh", true},
	} {
		if got := tc.a.AnnouncesTest(tc.path); got != tc.want {
			t.Errorf("%+v announces %s: got %v", tc.a, tc.path, got)
		}
	}
}
