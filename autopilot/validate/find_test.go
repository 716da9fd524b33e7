package validate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tree writes files into a folder of the test; a name with a slash at its end is
// a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(content, "#!") {
			mode = 0o700
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestCommandsFollowFromManifests(t *testing.T) {
	const scripts = `{"scripts":{"test":"jest","lint":"eslint .","build":"x"}}`
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"nothing", map[string]string{"README.md": ""}, nil},
		{"Go", map[string]string{"go.mod": ""}, []string{"go build ./...", "go test ./..."}},
		{"npm", map[string]string{"package.json": scripts}, []string{"npm run test", "npm run lint"}},
		{"pnpm", map[string]string{"package.json": scripts, "pnpm-lock.yaml": ""}, []string{"pnpm run test", "pnpm run lint"}},
		{"yarn", map[string]string{"package.json": scripts, "yarn.lock": ""}, []string{"yarn run test", "yarn run lint"}},
		{"bun", map[string]string{"package.json": scripts, "bun.lockb": ""}, []string{"bun run test", "bun run lint"}},
		{"named manager", map[string]string{"package.json": `{"packageManager":"pnpm@9","scripts":{"typecheck":"tsc"}}`}, []string{"pnpm run typecheck"}},
		{"npm named beside another's lock", map[string]string{"package.json": `{"packageManager":"npm@10","scripts":{"test":"jest"}}`, "yarn.lock": ""}, []string{"npm run test"}},
		{"a manager that is not known", map[string]string{"package.json": `{"packageManager":"x@1","scripts":{"test":"jest"}}`, "yarn.lock": ""}, []string{"yarn run test"}},
		{"npm's default test", map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`}, nil},
		{"no scripts", map[string]string{"package.json": `{}`}, nil},
		{"Python with .venv", map[string]string{"pyproject.toml": "", ".venv/bin/python": "", "uv.lock": ""}, []string{".venv/bin/python -m pytest"}},
		{"Python with venv", map[string]string{"pyproject.toml": "", "venv/bin/python": ""}, []string{"venv/bin/python -m pytest"}},
		{"uv", map[string]string{"pyproject.toml": "", "uv.lock": ""}, []string{"uv run python -m pytest"}},
		{"poetry", map[string]string{"pyproject.toml": "", "poetry.lock": ""}, []string{"poetry run python -m pytest"}},
		{"pipenv", map[string]string{"setup.py": "", "Pipfile.lock": ""}, []string{"pipenv run python -m pytest"}},
		{"uv before poetry", map[string]string{"setup.py": "", "uv.lock": "", "poetry.lock": "", "Pipfile.lock": ""}, []string{"uv run python -m pytest"}},
		{"unittest", map[string]string{"pyproject.toml": "", "tests/test_x.py": "import unittest\n", "tests/__init__.py": ""}, []string{"python3 -m unittest"}},
		{"unittest beside the code", map[string]string{"setup.py": "", "test_x.py": "from unittest import mock\n"}, []string{"python3 -m unittest"}},
		{"unittest, tests no package", map[string]string{"pyproject.toml": "", "venv/bin/python": "", "tests/test_x.py": "import unittest\n"}, []string{"venv/bin/python -m unittest discover -s tests"}},
		{"unittest run by pytest", map[string]string{"pyproject.toml": "[project]\ndependencies = ['pytest']\n", "tests/test_x.py": "import unittest\n"}, []string{"python3 -m pytest"}},
		{"unittest and pytest", map[string]string{"pyproject.toml": "", "tests/test_x.py": "import unittest\n", "tests/test_y.py": "import pytest\n"}, []string{"python3 -m pytest"}},
		{"pytest.ini", map[string]string{"pyproject.toml": "", "pytest.ini": "", "tests/test_x.py": "import unittest\n"}, []string{"python3 -m pytest"}},
		{"plain Python", map[string]string{"pyproject.toml": ""}, []string{"python3 -m pytest"}},
		{"Rust", map[string]string{"Cargo.toml": ""}, []string{"cargo test"}},
		{"make", map[string]string{"Makefile": "build:\n\ntest: build\n\tx\n"}, []string{"make test"}},
		{"make with several rules", map[string]string{"GNUmakefile": "test::\n\tx\n", "Makefile": "all:\n"}, []string{"make test"}},
		{"make without a test", map[string]string{"Makefile": "test := 1\ntests:\n"}, nil},
		{"make is for nothing else", map[string]string{"Makefile": "test:\n", "Cargo.toml": ""}, []string{"cargo test"}},
		{"several", map[string]string{"go.mod": "", "package.json": scripts}, []string{"go build ./...", "go test ./...", "npm run test", "npm run lint"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := Find(tree(t, tc.files))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, commands(found)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func commands(vs []Validation) []string {
	var list []string
	for _, v := range vs {
		list = append(list, v.Command)
	}
	return list
}

func TestConfiguredCommandsComeBeforeFoundOnes(t *testing.T) {
	root := tree(t, map[string]string{"go.mod": ""})
	found, err := Find(root, Validation{Command: "true", Dir: "sub"}, Validation{Command: "x", Source: "task-001"})
	want := []Validation{{Command: "true", Dir: "sub", Source: "configuration"}, {Command: "x", Source: "task-001"}}
	if diff := cmp.Diff(want, found); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestBrokenPackageFileIsAnErrorWithAWayOut(t *testing.T) {
	root := tree(t, map[string]string{"package.json": "{", "sub/x.js": ""})
	_, err := Find(root)
	_, near := FindNear(root, []string{"sub/x.js"})
	for _, err := range []error{err, near} {
		if err == nil || !strings.Contains(err.Error(), "package.json") || !strings.Contains(err.Error(), "correct it") {
			t.Errorf("got %v", err)
		}
	}
}

func TestNearestManifestAboveEachChangedFile(t *testing.T) {
	root := tree(t, map[string]string{
		"services/api/go.mod": "", "services/api/internal/x.go": "",
		"web/package.json": `{"scripts":{"test":"jest"}}`, "web/src/": "", "docs/a.md": "",
		"services/api/internal/tool/Cargo.toml": "",
	})
	found, err := FindNear(root, []string{
		"web/src/gone/a.ts", "services/api/internal/x.go", "services/api/y.go", "docs/a.md",
		"services/api/internal/tool/src/main.rs", "../outside/x.go", "/etc/passwd", "docs/a.md/was/a/file",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Validation{
		{Command: "go build ./...", Dir: "services/api", Source: "go.mod"},
		{Command: "go test ./...", Dir: "services/api", Source: "go.mod"},
		{Command: "cargo test", Dir: "services/api/internal/tool", Source: "Cargo.toml"},
		{Command: "npm run test", Dir: "web", Source: "package.json test script"},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}

func TestTheSameCommandInTheSameFolderRunsOnce(t *testing.T) {
	vs := []Validation{{Command: "a"}, {Command: "b"}, {Command: "a", Source: "task-1"}, {Command: "a", Dir: "x"}, {Command: "npm run test"}, {Command: "npm test"}}
	if got := Distinct(vs); len(got) != 4 || got[2].Dir != "x" {
		t.Errorf("got %+v", got)
	}
}

func TestTimeoutFollowsTheBaseline(t *testing.T) {
	for baseline, want := range map[time.Duration]time.Duration{0: 10 * time.Minute, time.Minute: 10 * time.Minute, 5 * time.Minute: 15 * time.Minute} {
		if got := TimeoutFor(baseline); got != want {
			t.Errorf("%s: got %s, want %s", baseline, got, want)
		}
	}
}
