package integrity

import "testing"

func TestDataOfTestsIsNotEmptied(t *testing.T) {
	rows := `[{"a": 1, "b": 2}, {"a": 20, "b": 22}]` + "\n"
	for name, tc := range map[string]struct {
		path, before, after string
		accused             bool
	}{
		"list":                      {"testdata/a.json", rows, "[]\n", true},
		"list of nothing at all":    {"testdata/a.json", rows, "null\n", true},
		"file":                      {"pkg/testdata/in/a.txt", "one\ntwo\n", "\n", true},
		"list within":               {"fixtures/a.yml", "x: {cases: [1, 2]}\n", "x: {cases: []}\n", true},
		"mapping":                   {"src/__fixtures__/a.json", `{"a": {"b": 1}}`, `{"a": {}}`, true},
		"rows of a table":           {"test_data/a.tsv", "a\tb\n1\t2\n", "a\tb\n", true},
		"story":                     {"cmd/testdata/script/a.txt", "exec calc 1\nstdout 1\n", "", true},
		"one of two":                {"testdata/a.json", rows, `[{"a": 1, "b": 2}]`, false},
		"list that was empty":       {"testdata/a.json", "[]", "{}", false},
		"list that became a number": {"testdata/a.json", `{"n": [1]}`, `{"n": 1}`, false},
		"what cannot be read":       {"testdata/a.json", "[1", "]", false},
		"data of the program":       {"data/a.json", rows, "[]\n", false},
		"new line at the end":       {"testdata/a.txt", "one", "one\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			found := Integrity([]Change{edit(tc.path, tc.before, tc.before, tc.after)}, Allowed{Owns: []string{"**"}})
			if accused := len(of(Critical, found)) == 1; accused != tc.accused || len(found) > 1 {
				t.Errorf("got %+v", found)
			}
			if found := Integrity([]Change{edit(tc.path, tc.before, tc.before, tc.after)}, Allowed{Files: []string{tc.path}}); len(found) != 0 {
				t.Errorf("named, yet %+v", found)
			}
		})
	}
}

func TestStoryThatGoesWithItsTestIsToldOnce(t *testing.T) {
	story, seed := deleted("calc/testdata/a.txtar", "exec calc 1\n"), deleted("calc/testdata/fuzz/FuzzAdd/1", "go test fuzz v1\nint(7)\n")
	if found := Integrity([]Change{story, seed}, Allowed{Owns: []string{"**"}}); len(of(Critical, found)) != 2 {
		t.Errorf("got %+v", found)
	}
	found := Integrity([]Change{story, seed, deleted("calc/calc_test.go", goTest)}, Allowed{Owns: []string{"**"}})
	if len(found) != 1 || found[0].File != "calc/calc_test.go" {
		t.Errorf("got %+v", found)
	}
	moved := Change{Path: "calc/testdata/b.txtar", OldPath: "calc/testdata/a.txtar", Status: Renamed, Before: []byte("exec calc 1\n"), After: []byte("exec calc 1\n")}
	if found := Integrity([]Change{moved}, Allowed{Owns: []string{"**"}}); len(found) != 0 {
		t.Errorf("got %+v", found)
	}
}

func TestPatternsThatNameGoldens(t *testing.T) {
	for pattern, names := range map[string]bool{
		"testdata/out.golden": true, "testdata/**": true, "testdata/": true, "**/testdata": true, "**/*.golden": true, "testdata/*": true,
		"**": false, "t*/**": false, "test*data*/**": false, "": false,
	} {
		a := Allowed{Owns: []string{pattern}}
		if got := a.namesGolden("testdata/out.golden") || pattern == "**/testdata" && a.namesGolden("x/testdata"); got != names {
			t.Errorf("%s: %v, want %v", pattern, got, names)
		}
	}
	for _, folder := range []string{"unexpected", "n-snapshot", "approval-service", "goldenrod", "testdata-tools"} {
		if p := folder + "/out.snap"; (Allowed{Owns: []string{folder + "/**"}}).namesGolden(p) || !(Allowed{Owns: []string{folder + "/*.snap"}}).namesGolden(p) {
			t.Errorf("%s is taken for a folder of goldens", folder)
		}
	}
}
