package integrity

import (
	"strings"
	"testing"
)

const makefile = "build:\n\tgo build ./...\n\ntest: build\n\tgo test ./...\n\ndeploy:\n\t./deploy\n"

const packageFile = `{
  "name": "x",
  "scripts": {
    "build": "tsc",
    "test": "vitest run"
  },
  "jest": {"bail": true}
}
`

const pyproject = "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n\n[tool.black]\nline-length = 80\n"

func TestChangedChecksAreCritical(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change Change
		line   int
		title  string
	}{
		{"workflow", edit(".github/workflows/ci.yml", "on: push\nrun: x\n", "run: x", "run: y"), 2, "CI or validation file was modified"},
		{"workflow deleted", deleted(".github/workflows/ci.yml", "on: push\n"), 0, "was deleted"},
		{"workflow renamed away", renamed(".gitlab-ci.yml", "old.yml", "test: x\n"), 0, "was renamed"},
		{"linter", edit("sub/.golangci.yml", "a: 1\n", "1", "2"), 1, "CI or validation file"},
		{"jest", edit("web/jest.config.js", "a\n", "a", "b"), 1, "CI or validation file"},
		{"make target", edit("Makefile", makefile, "go test ./...", "go test ./calc"), 4, "make target test"},
		{"make target gone", edit("Makefile", makefile, "test: build\n\tgo test ./...\n", ""), 4, "make target test"},
		{"package script", edit("package.json", packageFile, "vitest run", "echo ok"), 5, `script "test"`},
		{"package script gone", edit("package.json", packageFile, ",\n    \"test\": \"vitest run\"", ""), 5, `script "test"`},
		{"package configuration", edit("package.json", packageFile, "true", "false"), 7, `configuration "jest"`},
		{"package.json broken", edit("package.json", `{"scripts":{"test":"x"}}`, "}}", "}"), 1, `script "test"`},
		{"pytest section", edit("pyproject.toml", pyproject, `"-q"`, `"-q -k fast"`), 4, "[tool.pytest.ini_options]"},
		{"new section that leaves tests out", edit("pyproject.toml", "[project]\nname = \"x\"\n", "\"x\"\n", "\"x\"\n[tool.pytest.ini_options]\naddopts = \"--ignore=tests/a\"\n"), 3, "[tool.pytest.ini_options]"},
		{"setup.cfg", edit("setup.cfg", "[tool:pytest]\na = 1\n", "1", "2"), 1, "[tool:pytest]"},
		{"Cargo lints", edit("Cargo.toml", "[lints.rust]\na = \"deny\"\n", "deny", "allow"), 1, "[lints.rust]"},
		{"control file", edit("autopilot.yaml", "a: 1\n", "1", "2"), 0, "control file"},
		{"new control file", added(".harness/validate.d/a.sh", "true\n"), 0, "control file was added"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := tc.change.before()
			found := of(Critical, Integrity([]Change{tc.change}, Allowed{Owns: []string{"**"}}))
			if len(found) != 1 || found[0].File != path || found[0].Line != tc.line || !strings.Contains(found[0].Title, tc.title) {
				t.Errorf("a glob over everything is no waiver; got %+v", found)
			}
			if found := of(Critical, Integrity([]Change{tc.change}, Allowed{Files: []string{path}})); len(found) != 0 {
				t.Errorf("named in the plan, yet %+v", found)
			}
		})
	}
}

func TestCheckThatCannotFailIsCriticalEvenWhenNamed(t *testing.T) {
	for _, c := range []Change{
		edit("Makefile", makefile, "go test ./...", "go test ./... || true"),
		edit("package.json", packageFile, "vitest run", "vitest run || exit 0"),
		edit(".github/workflows/ci.yml", "steps:\n- run: go test\n", "go test\n", "go test\n  continue-on-error: true\n"),
		edit("scripts/check.sh", "go vet ./...\n", "./...", "./... || :"),
		added(".gitlab-ci.yml", "test:\n  allow_failure: true\n"),
	} {
		found := Integrity([]Change{c}, Allowed{Files: []string{c.Path}})
		if len(found) != 1 || found[0].Severity != Critical || found[0].Title != "a check can no longer fail" || found[0].Line == 0 {
			t.Errorf("%s: got %+v", c.Path, found)
		}
	}
}

func TestHarmlessChangesOfManifestsAreNotAccused(t *testing.T) {
	for _, c := range []Change{
		edit("Makefile", makefile, "./deploy", "./deploy --now || true"),
		edit("Makefile", makefile, "\tgo test ./...", "\t# all of it\n\tgo test ./..."),
		edit("package.json", packageFile, "tsc", "tsc -b", "\"name\"", "\"version\": \"1\",\n  \"name\""),
		edit("package.json", packageFile, "\"build\"", "\"lint\": \"eslint .\",\n    \"build\""),
		edit("package.json", `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`, `echo \"Error: no test specified\" && exit 1`, "vitest run"),
		edit("pyproject.toml", pyproject, "80", "100"),
		edit("pyproject.toml", "[project]\n", "[project]\n", "[project]\n[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
		edit("Cargo.toml", "[dependencies]\n", "[dependencies]\n", "[dependencies]\nserde = \"1\"\n"),
		edit("tests/conftest.py", "import pytest\n", "pytest\n", "pytest\n\n@pytest.fixture\ndef db():\n    return 1\n"),
		edit("package.json", "no JSON", "no", "not"),
	} {
		if found := Integrity([]Change{c}, Allowed{Owns: []string{"**"}}); len(found) != 0 {
			t.Errorf("%s: accused %+v", c.Path, found)
		}
	}
}

func TestRunDataIsNoChange(t *testing.T) {
	changes := []Change{
		added(".harness/out/d1/reply.json", "{}"),
		added(".harness/sessions/x/inbox/g1.json", "{}"),
		added(".harness/worktrees/x/main.go", "x"),
	}
	if found := Integrity(changes, Allowed{Files: []string{"a.go"}}); len(found) != 0 {
		t.Errorf("accused %+v", found)
	}
}

func TestSessionFilesAreNeverAllowed(t *testing.T) {
	path := ".harness/sessions/x/autopilot-state.json"
	if found := Integrity([]Change{added(path, "{}")}, Allowed{Files: []string{path}}); len(found) != 1 || found[0].Severity != Critical {
		t.Errorf("got %+v", found)
	}
}

func TestFilesOutsideOfThePlanAreFound(t *testing.T) {
	a := Allowed{Files: []string{"a.go", "docs/", "./cmd"}, Owns: []string{"pkg/**/*.go", "[malformed"}, ChangesTests: []string{"x_test.go"}}
	for _, tc := range []struct {
		change Change
		a      Allowed
		want   Severity
	}{
		{added("a.go", "x"), a, ""},
		{added("docs/x/y.md", "x"), a, ""},
		{added("cmd/x.go", "x"), a, ""},
		{added("pkg/x/y.go", "x"), a, ""},
		{added("x_test.go", "x"), a, ""},
		{added("b.go", "x"), a, Important},
		{renamed("b.go", "a.go", "x"), a, Important},
		{added("pkg/x/y.txt", "x"), a, Important},
		{added("go.sum", "x"), a, Suggestion},
		{edit(".gitignore", "*.log\n", "log\n", "log\n/cache/\n"), a, Suggestion},
		{edit(".gitignore", "*.log\n", "log\n", "log\n!a.log\n"), a, Important},
		{edit(".gitignore", "*.log\n", "log", "txt"), a, Important},
		{added("web/package-lock.json", "x"), a, Suggestion},
		{added("b_test.go", "x"), a, Suggestion},
		{added("b.go", "x"), Allowed{}, ""},
		{added("go.sum", "x"), Allowed{FilesNone: true}, Important},
	} {
		found := Integrity([]Change{tc.change}, tc.a)
		if tc.want == "" && len(found) != 0 || tc.want != "" && (len(found) != 1 || found[0].Severity != tc.want) {
			t.Errorf("%s: got %+v, want %q", tc.change.Path, found, tc.want)
		}
	}
}

func TestNamingAGuardedFile(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"package.json", "package.json", true},
		{"**/package.json", "web/package.json", true},
		{"web/**", "web/package.json", false},
		{"web/", "web/package.json", false},
		{"*.json", "package.json", false},
		{".github/workflows/**", ".github/workflows/ci.yml", true},
		{".github/workflows/*.yml", ".github/workflows/ci.yml", true},
		{"**", ".github/workflows/ci.yml", false},
	} {
		if got := (Allowed{Files: []string{tc.pattern}}).names(tc.path); got != tc.want {
			t.Errorf("%s names %s: got %v", tc.pattern, tc.path, got)
		}
	}
}
