package worktree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/check"
)

func TestMissingPackageOfANewTreeIsNoFailure(t *testing.T) {
	for name, c := range map[string]struct {
		outcome check.Outcome
		output  string
		brought string // a folder that the new tree has
		inside  bool   // it lies in the old one
		want    check.Outcome
	}{
		"package":                 {check.Failed, "Error: Cannot find module 'greet'", "", false, check.CouldNotCheck},
		"scoped package":          {check.Failed, "Cannot find package \"@a/greet\" imported from", "", false, check.CouldNotCheck},
		"file of the project":     {check.Failed, "Error: Cannot find module './greet'", "", false, check.Failed},
		"brought":                 {check.Failed, "Error: Cannot find module 'greet'", "node_modules", false, check.Failed},
		"found upwards":           {check.Failed, "Error: Cannot find module 'greet'", "", true, check.Failed},
		"another failure":         {check.Failed, "got 1, want 2", "", false, check.Failed},
		"module of Python":        {check.Failed, "ModuleNotFoundError: No module named 'greet'", "", false, check.CouldNotCheck},
		"module of Python inside": {check.Failed, "ModuleNotFoundError: No module named 'greet'", "", true, check.Failed},
		"passed":                  {check.Passed, "Cannot find module 'greet'", "", false, check.Passed},
	} {
		t.Run(name, func(t *testing.T) {
			own := newRepo(t, map[string]string{".gitignore": "node_modules/\n.venv/\n", "node_modules/greet/index.js": "", ".venv/pyvenv.cfg": ""})
			to := t.TempDir()
			if c.inside {
				to = filepath.Join(own, ".harness", "worktrees", "x")
			}
			if err := os.MkdirAll(filepath.Join(to, c.brought), 0o755); err != nil {
				t.Fatal(err)
			}
			got := MissingDependencies(t.Context(), own, to, check.Evidence{Outcome: c.outcome, Output: c.output})
			if got.Outcome != c.want {
				t.Errorf("got %s: %s", got.Outcome, got.Reason)
			}
			if got.Outcome == check.CouldNotCheck && (!strings.Contains(got.Reason, "worktree.copy") || !strings.Contains(got.Reason, "worktree.setup")) {
				t.Errorf("%q does not say the way out", got.Reason)
			}
			if got := MissingDependencies(t.Context(), own, own, check.Evidence{Outcome: c.outcome, Output: c.output}); got.Outcome != c.outcome {
				t.Errorf("in the tree itself: got %s", got.Outcome)
			}
		})
	}
}

// newRepo is the folder of a repository with these files, which are not committed.
func newRepo(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
