package validate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func unchanged(string) ([]byte, bool) { return nil, false }

func TestScriptsThatCommandsRun(t *testing.T) {
	root := tree(t, map[string]string{
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
		found := Scripts(root, []Validation{{Command: command, Source: "configuration"}}, unchanged)
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
	root := tree(t, map[string]string{
		".harness/validate.d/10.sh": "#!/bin/sh\n# sh ci/no.sh\nset -e\ncd \"$(dirname \"$0\")/../..\"\nexec sh ci/check.sh \"$1\"\n",
	})
	if found := Scripts(root, nil, unchanged); !slices.Equal(found, []string{"ci/check.sh"}) {
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
	root := tree(t, files)
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
		if found := strings.Join(Scripts(root, []Validation{{Command: command}}, unchanged), " "); found != want {
			t.Errorf("%q: got %s, want %s", command, found, want)
		}
	}
	if found := Scripts(root, []Validation{{Command: "sh many.sh"}}, unchanged); len(found) != 1+2*mostScripts+mostScripts-1 {
		t.Errorf("%d scripts", len(found))
	}
}

// TestScriptsAreReadAsTheyWere: an agent that has a script no longer call another must not be free to change that.
func TestScriptsAreReadAsTheyWere(t *testing.T) {
	root := tree(t, map[string]string{"check.sh": "exit 0\n", "new.sh": "sh other.sh\n"})
	was := map[string][]byte{
		"check.sh": []byte("sh inner.sh && sh gone.sh && sh moved.sh && sh new.sh\n"), "gone.sh": []byte("sh a.sh\n"), "moved.sh": []byte("sh b.sh\n"), "new.sh": nil,
	}
	found := strings.Join(Scripts(root, []Validation{{Command: "./check.sh"}}, func(file string) ([]byte, bool) {
		old, is := was[file]
		return old, is
	}), " ")
	if want := "a.sh b.sh check.sh gone.sh inner.sh moved.sh new.sh"; found != want {
		t.Errorf("got %s, want %s", found, want)
	}
}
