package worktree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/validate"
)

func TestMissingPackageOfANewTreeIsNoFailure(t *testing.T) {
	for name, c := range map[string]struct {
		outcome validate.Outcome
		output  string
		brought string // a folder that the new tree has
		inside  bool   // it lies in the old one
		want    validate.Outcome
	}{
		"package":                 {validate.Failed, "Error: Cannot find module 'greet'", "", false, validate.CouldNotCheck},
		"scoped package":          {validate.Failed, "Cannot find package \"@a/greet\" imported from", "", false, validate.CouldNotCheck},
		"file of the project":     {validate.Failed, "Error: Cannot find module './greet'", "", false, validate.Failed},
		"brought":                 {validate.Failed, "Error: Cannot find module 'greet'", "node_modules", false, validate.Failed},
		"found upwards":           {validate.Failed, "Error: Cannot find module 'greet'", "", true, validate.Failed},
		"another failure":         {validate.Failed, "got 1, want 2", "", false, validate.Failed},
		"module of Python":        {validate.Failed, "ModuleNotFoundError: No module named 'greet'", "", false, validate.CouldNotCheck},
		"module of Python inside": {validate.Failed, "ModuleNotFoundError: No module named 'greet'", "", true, validate.Failed},
		"passed":                  {validate.Passed, "Cannot find module 'greet'", "", false, validate.Passed},
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
			got := MissingDependencies(t.Context(), own, to, validate.Evidence{Outcome: c.outcome, Output: c.output})
			if got.Outcome != c.want {
				t.Errorf("got %s: %s", got.Outcome, got.Reason)
			}
			if got.Outcome == validate.CouldNotCheck && (!strings.Contains(got.Reason, "worktree.copy") || !strings.Contains(got.Reason, "worktree.setup")) {
				t.Errorf("%q does not say the way out", got.Reason)
			}
			if got := MissingDependencies(t.Context(), own, own, validate.Evidence{Outcome: c.outcome, Output: c.output}); got.Outcome != c.outcome {
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
