package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		{"a test, under Changes tests", edit("tests/run.sh", "a\n", "a", "b"), Allowed{ChangesTests: []string{"tests/run.sh"}}, false},
		{"new", added("ci/check.sh", "a\n"), Allowed{Files: []string{"good.txt"}}, false},
		{"emptied", edit("ci/check.sh", "a\n", "a\n", ""), Allowed{Owns: []string{"**"}}, true},
		{"deleted", deleted("ci/check.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
		{"renamed", renamed("ci/check.sh", "ci/old.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
		{"another mode, or a link", edit("ci/check.sh", "a\n"), Allowed{Owns: []string{"**"}}, true},
		{"a test that is read as one", edit("tests/test_calc.py", pyTest, "42", "43"), Allowed{Owns: []string{"**"}}, false},
		{"a test without checks that can be read", edit("tests/test_all.py", "import sys\nsys.exit(run())\n", "run()", "0"), Allowed{Owns: []string{"**"}}, true},
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

func TestScriptsThatCommandsRun(t *testing.T) {
	root := folderOf(t, map[string]string{
		"package.json":  `{"scripts": {"test": "npm run check && node scripts/run.js", "check": "sh ci/check.sh", "loop": "npm run loop"}}`,
		"tools/real.sh": "true\n",
	})
	if err := os.Symlink(filepath.Join("tools", "real.sh"), filepath.Join(root, "check")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for command, want := range map[string][]string{
		"npm test":                       {"ci/check.sh", "scripts/run.js"},
		"npm run loop":                   nil,
		"./check":                        {"check", "tools/real.sh"},
		"sh ci/a.sh && sh ci/a.sh":       {"ci/a.sh"},
		"python app.py | grep -q hello":  nil,
		"python check.py | grep -q PASS": {"check.py"},
		"sh ci/all.sh | grep -q PASS":    {"ci/all.sh"},
	} {
		found := Scripts(root, []Validation{{Command: command, Source: "configuration"}})
		for _, w := range want {
			if !slices.Contains(found, w) {
				t.Errorf("%q: got %q, want %s", command, found, w)
			}
		}
		if len(want) == 0 && len(found) > 0 {
			t.Errorf("%q: got %q", command, found)
		}
	}
}

func TestScriptsThatOwnScriptsRun(t *testing.T) {
	root := folderOf(t, map[string]string{
		".harness/validate.d/10.sh": "#!/bin/sh\n# sh ci/no.sh\nset -e\ncd \"$(dirname \"$0\")/../..\"\nexec sh ci/check.sh \"$1\"\n",
	})
	if found := Scripts(root, nil); !slices.Equal(found, []string{"ci/check.sh"}) {
		t.Errorf("got %q", found)
	}
}

func TestScriptsThatScriptsRun(t *testing.T) {
	files := map[string]string{
		"check.sh": "#!/bin/sh\nset -e\nsh ./inner.sh\n", "inner.sh": "./deep\n", "deep": "#!/usr/bin/env bash\npython deeper.py\n",
		"deeper.py": "# sh ./no.sh\n", "ci/all.sh": "cd \"$(dirname \"$0\")\"\n. ./lib.sh\n", "ci/lib.sh": "npm test\n",
		"package.json": `{"scripts": {"test": "sh tools/unit.sh"}}`, "round.sh": "sh round.sh\nsh end.sh\n", "broken.sh": "sh before.sh\necho 'open\nsh behind.sh",
		"python.sh": "#!/usr/bin/python3\nsh ./no.sh\n", "binary": "sh no.sh\n\x00", "looks.sh": "sh greet.sh | grep -q hello\n",
		"large.sh": "sh no.sh\n" + strings.Repeat("# \n", largeScript), "many.sh": "",
	}
	for i, letters := 0, "abcdefg"; i < len(letters); i++ {
		files[letters[i:i+1]+".sh"] = "sh " + string(letters[i]+1) + ".sh\n"
	}
	for i := range 2 * mostScripts {
		files["many.sh"] += fmt.Sprintf("sh many%d.sh\n", i)
		files[fmt.Sprintf("many%d.sh", i)] = fmt.Sprintf("sh of%d.sh\n", i)
	}
	root := folderOf(t, files)
	for command, want := range map[string]string{
		"./check.sh":              "check.sh deep deeper.py deeper.py/__main__.py inner.sh",
		"sh ci/all.sh":            "ci/all.sh ci/lib.sh",
		"cd ci && . ./lib.sh":     "ci/lib.sh",
		"sh round.sh":             "end.sh round.sh",
		"sh broken.sh":            "before.sh broken.sh",
		"./python.sh && ./binary": "binary python.sh",
		"sh looks.sh":             "looks.sh",
		"sh large.sh":             "large.sh",
		"sh a.sh":                 "a.sh b.sh c.sh d.sh e.sh f.sh",
	} {
		if found := strings.Join(Scripts(root, []Validation{{Command: command}}), " "); found != want {
			t.Errorf("%q: got %s, want %s", command, found, want)
		}
	}
	if found := Scripts(root, []Validation{{Command: "sh many.sh"}}); len(found) != 1+2*mostScripts+mostScripts-1 {
		t.Errorf("%d scripts", len(found))
	}
}

// TestScriptsAreReadAsTheyWere: an agent that has a script no longer call another must not be free to change that.
func TestScriptsAreReadAsTheyWere(t *testing.T) {
	root := folderOf(t, map[string]string{"check.sh": "exit 0\n", "new.sh": "sh other.sh\n"})
	changes := []Change{
		edit("check.sh", "sh inner.sh && sh gone.sh && sh moved.sh && sh new.sh\n", "sh", "true"), deleted("gone.sh", "sh a.sh\n"),
		renamed("moved.sh", "to.sh", "sh b.sh\n"), added("new.sh", "sh other.sh\n"),
	}
	found := strings.Join(Scripts(root, []Validation{{Command: "./check.sh"}}, changes...), " ")
	if want := "a.sh b.sh check.sh gone.sh inner.sh moved.sh new.sh"; found != want {
		t.Errorf("got %s, want %s", found, want)
	}
}
