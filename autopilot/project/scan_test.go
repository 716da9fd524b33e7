package project

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAManifestThatCannotBeReadIsNamedAndTheRestCounts(t *testing.T) {
	root := t.TempDir()
	put(t, root, "package.json", "{")
	put(t, root, "compose.yaml", "services: [")
	put(t, root, "go.mod", "module x")
	put(t, root, "pyproject.toml", "[project")
	put(t, root, "deep/Cargo.toml", "a="+strings.Repeat("[", maxManifest-2))
	p, err := Scan(root, []string{"package.json", "compose.yaml", "go.mod", "pyproject.toml", "deep/Cargo.toml", "gone/pyproject.toml"})
	for _, want := range []string{"reading package.json: ", "reading compose.yaml: ", "reading pyproject.toml: ", "reading deep/Cargo.toml: "} {
		if err == nil || strings.Count(err.Error(), want) != 1 {
			t.Errorf("%v, want %q once", err, want)
		}
	}
	if len(p.TestCommands) != 2 || p.TestCommands[0].Command != "go test ./..." {
		t.Errorf("the rest was not scanned: %+v", p)
	}
}

func TestALinkThatLeadsOutIsNotFollowed(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	put(t, outside, "package.json", `{"scripts": {"test": "jest"}}`)
	if err := os.Symlink(filepath.Join(outside, "package.json"), filepath.Join(root, "package.json")); err != nil {
		t.Skip("no links here")
	}
	p, err := Scan(root, []string{"package.json"})
	if err != nil || len(p.TestCommands) != 0 {
		t.Errorf("%v, %+v", err, p.TestCommands)
	}
}

func TestAManifestThatIsTooLargeIsNotRead(t *testing.T) {
	root := t.TempDir()
	put(t, root, "package.json", `{"scripts": {"test": "jest"}}`+strings.Repeat(" ", maxManifest))
	if p, err := Scan(root, []string{"package.json"}); err != nil || len(p.TestCommands) != 0 || len(p.PackageManagers) != 1 {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestARootThatIsNotThereIsAnError(t *testing.T) {
	if _, err := Scan(filepath.Join(t.TempDir(), "gone"), nil); err == nil || !strings.HasPrefix(err.Error(), "scanning the project: ") {
		t.Error(err)
	}
}

func TestAboutIsOneShortLine(t *testing.T) {
	p := fresh
	p.TestCommands = append(p.TestCommands[:1:1], Command{Command: "make e2e", Dir: "e2e"})
	for _, name := range []string{"A", "B", "C", "D"} {
		p.Languages = append(slices.Clip(p.Languages), Language{Name: name, Files: 1})
	}
	want := "Languages (files): Go (3), A (1), B (1), C (1), 1 more. Tests: go test ./..., make e2e (in e2e). Documents: README.md."
	if got := p.About(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := (Profile{}).About(); got != "" {
		t.Errorf("an empty profile says %q", got)
	}
}

func TestTestsOfUnittestAreRunByIt(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a/pyproject.toml", "[project]\nname = 'a'\n")
	put(t, root, "a/tests/test_a.py", "import unittest\n")
	put(t, root, "a/uv.lock", "")
	p, err := Scan(root, []string{"a/pyproject.toml", "a/tests/test_a.py", "a/uv.lock"})
	want := Command{Command: "uv run python -m unittest discover -s tests", Dir: "a", Source: "pyproject.toml"}
	if err != nil || len(p.TestCommands) != 1 || p.TestCommands[0].Command != want.Command || p.TestCommands[0].Dir != want.Dir {
		t.Errorf("%v, %+v", err, p.TestCommands)
	}
}
