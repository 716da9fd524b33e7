package integrity

import (
	"strings"
	"testing"
)

func TestSettingsThatLessenChecksAreCritical(t *testing.T) {
	for path, line := range map[string]string{
		"pom.xml":            "<testFailureIgnore>true</testFailureIgnore>",
		"app/build.gradle":   "test { exclude '**/CalcTest*' }",
		"tsconfig.json":      `"strict": false,`,
		"vite.config.ts":     "passWithNoTests: true,",
		"Cargo.toml":         "autotests = false",
		".npmrc":             "script-shell=/bin/true",
		".env":               "PYTEST_ADDOPTS=--co",
		"tox.ini":            "addopts = --deselect test_calc.py",
		"jest.config.js":     "testPathIgnorePatterns: ['calc'],",
		".cargo/config.toml": `runner = "true"`,
	} {
		found := of(Critical, Integrity([]Change{added(path, "x\n"+line+"\n")}, Allowed{Owns: []string{"**"}}))
		if len(found) == 0 || found[0].Line != 2 {
			t.Errorf("%s: got %+v", path, found)
		}
		if found := Integrity([]Change{added(path, "# "+line+"\n")}, Allowed{Files: []string{path}}); len(found) != 0 {
			t.Errorf("%s is named in the plan, yet %+v", path, found)
		}
	}
	vendored := added("jest.config.js", "testPathIgnorePatterns: ['/node_modules/'],\n")
	if found := Integrity([]Change{vendored}, Allowed{Owns: []string{"**"}}); len(found) != 0 {
		t.Errorf("accused %+v", found)
	}
}

func TestLinesThatHideExitCodes(t *testing.T) {
	for text, want := range map[string]bool{
		"go test ./... || true":                   true,
		"go test ./... || exit 0":                 true,
		"npm test || echo failed":                 true,
		"pytest; true":                            true,
		"cd app && cargo test || :":               true,
		"go test ./... &":                         true,
		"rm -rf testdata/out || true":             false,
		"docker rm test-db || true":               false,
		"go test ./... || exit 1":                 false,
		"make check && echo ok":                   false,
		"go test ./... && rm -f test.log || true": false,
	} {
		if got := hidesExit(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestEditedCommandsOfScripts(t *testing.T) {
	const script = "#!/bin/sh\nset -e\ngo vet ./...\npytest -q\n"
	for _, tc := range []struct {
		name, from, to string
		want           Severity
		line           int
		title          string
	}{
		{"removed", "pytest -q\n", "", Critical, 4, "removed"},
		{"commented out", "pytest -q", "# pytest -q", Critical, 4, "removed"},
		{"filtered", "pytest -q", "pytest -q -k fast", Critical, 4, "changed"},
		{"writes what it expects", "pytest -q", "pytest -q --snapshot-update", Critical, 4, "changed"},
		{"changed otherwise", "pytest -q", "pytest -v", Important, 4, "changed"},
		{"errors ignored", "set -e", "set +e", Important, 2, "can no longer fail"},
		{"ends early", "go vet", "exit 0\ngo vet", Critical, 3, "can no longer fail"},
		{"errors trapped", "go vet", "trap true ERR\ngo vet", Critical, 3, "can no longer fail"},
	} {
		found := Integrity([]Change{edit("check", script, tc.from, tc.to)}, Allowed{Owns: []string{"**"}})
		if len(found) != 1 || found[0].Severity != tc.want || found[0].Line != tc.line || !strings.Contains(found[0].Title, tc.title) {
			t.Errorf("%s: got %+v", tc.name, found)
		}
	}
	if found := Integrity([]Change{edit("check", script, "pytest -q\n", "pytest -q\nexit 0\n")}, Allowed{Owns: []string{"**"}}); len(found) != 0 {
		t.Errorf("with set -e, exit 0 at the end hides nothing, yet %+v", found)
	}
}

func TestMakeTargetsThatCheckTargetsNeed(t *testing.T) {
	const file = "check: unit\n\nunit:\n\tgo test ./...\n\nhelp:\n\techo help\n"
	found := Integrity([]Change{edit("Makefile", file, "go test ./...", "go test ./a")}, Allowed{Owns: []string{"**"}})
	if len(found) != 1 || found[0].Title != "the make target unit was changed" || found[0].Line != 3 {
		t.Errorf("got %+v", found)
	}
	if found := Integrity([]Change{edit("Makefile", file, "echo help", "echo more")}, Allowed{Owns: []string{"**"}}); len(found) != 0 {
		t.Errorf("accused %+v", found)
	}
}

func TestNoiseThatThePlanNamesOrThatWasThereIsNone(t *testing.T) {
	for _, tc := range []struct {
		change Change
		a      Allowed
	}{
		{added("dist/app.js", "x"), Allowed{Files: []string{"dist/app.js"}}},
		{added("dist/app.js", "x"), Allowed{Owns: []string{"dist/**"}}},
		{edit("dist/app.js", "x", "x", "y"), Allowed{Owns: []string{"**"}}},
		{added("pkg/testdata/a.o", "x"), Allowed{Owns: []string{"**"}}},
		{added("src/target/aim.go", "x"), Allowed{Owns: []string{"**"}}},
	} {
		if found := Integrity([]Change{tc.change}, tc.a); len(found) != 0 {
			t.Errorf("%s: accused %+v", tc.change.Path, found)
		}
	}
	binary := added("calc", "\x7fELF and more")
	if found := Integrity([]Change{binary}, Allowed{Owns: []string{"**"}}); len(found) != 1 || found[0].Severity != Important {
		t.Errorf("got %+v", found)
	}
}
