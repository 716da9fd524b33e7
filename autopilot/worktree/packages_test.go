package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/validate"
)

// What the fake npm does in place of the one that is not there.
const (
	installs = "mkdir -p node_modules packages/b/node_modules\necho installed >node_modules/x\n"
	breaks   = "mkdir -p node_modules\necho half >node_modules/half\nexit 1\n"
)

func TestTreeGetsItsPackages(t *testing.T) {
	for name, c := range map[string]struct {
		npm   string // "": there is none
		lock  bool
		setup Setup
		files map[string]string // of the user's tree beside node_modules/x; ROOT is the tree
		env   string            // below ROOT/.., that is active
		want  map[string]string // in the new tree; "" is not there
		wrong string            // what the error names
	}{
		"by the manager":          {npm: installs, lock: true, want: map[string]string{"node_modules/x": "installed\n", "node_modules/old": ""}},
		"the manager fails":       {npm: breaks, lock: true, want: map[string]string{"node_modules/x": "copied", "node_modules/half": ""}},
		"the manager is not here": {lock: true, want: map[string]string{"node_modules/x": "copied"}},
		"no lock file":            {npm: installs, want: map[string]string{"node_modules/x": "copied"}},
		"a workspace": {
			npm: installs, lock: true, files: map[string]string{"packages/a/node_modules/y": "y", "packages/b/node_modules/z": "z"},
			want: map[string]string{"node_modules/x": "installed\n", "packages/a/node_modules/y": "y", "packages/b/node_modules/z": ""},
		},
		"copied as configured": {npm: installs, lock: true, setup: Setup{Copy: []string{"node_modules"}}, want: map[string]string{"node_modules/x": "copied"}},
		"a setup":              {npm: installs, lock: true, setup: Setup{Command: "mkdir -p node_modules; echo own >node_modules/x"}, want: map[string]string{"node_modules/x": "own\n"}},
		"no packages":          {files: map[string]string{"build/out": "1"}, want: map[string]string{"build/out": ""}},
		"a virtual environment": {
			files: map[string]string{".venv/lib/x.pth": "ROOT/.venv/lib/y"}, want: map[string]string{".venv/lib/x.pth": "ROOT/.venv/lib/y"},
		},
		"an editable install":            {files: map[string]string{".venv/lib/x.pth": "ROOT/src"}, wrong: ".venv/lib/x.pth leads back"},
		"an editable install elsewhere":  {files: map[string]string{"../env/lib/x.pth": "ROOT/src"}, env: "env", wrong: "../env/lib/x.pth leads back"},
		"an environment of another name": {files: map[string]string{"env/lib/x.pth": "ROOT/src"}, env: "tree/env", wrong: "env/lib/x.pth leads back"},
		"an active environment":          {files: map[string]string{"../env/lib/x.pth": "ROOT-2/src"}, env: "env", want: map[string]string{"node_modules/x": "copied"}},
	} {
		t.Run(name, func(t *testing.T) {
			from, tree, bin := filepath.Join(t.TempDir(), "tree"), treeOfNothing(t), t.TempDir()
			put(t, "node_modules\n.venv\nbuild\n", from, ".gitignore")
			for path, text := range c.files {
				put(t, strings.ReplaceAll(text, "ROOT", from), from, path)
			}
			put(t, "copied", from, "node_modules", "x")
			put(t, "copied", from, "node_modules", "old")
			if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", from).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if c.lock {
				put(t, "{}", tree.Root(), "package-lock.json")
			}
			if c.npm != "" {
				put(t, "#!/bin/sh\n[ \"$*\" = ci ] || exit 1\n"+c.npm, bin, "npm")
				if err := os.Chmod(filepath.Join(bin, "npm"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			put(t, "half", tree.Root(), "packages", "b", "node_modules", "z") // of a try that was cut off
			runner := validate.Runner{Now: time.Now, Env: []string{"PATH=" + bin + ":/usr/bin:/bin", "VIRTUAL_ENV=" + filepath.Join(from, "..", c.env)}}
			if c.npm == "" {
				runner.Env[0] = "PATH=" + bin
			}
			if c.env == "" {
				runner.Env = runner.Env[:1]
			}
			_, err := EnsureSetup(t.Context(), runner, c.setup, from, tree)
			if err == nil {
				err = c.setup.EnsurePackages(t.Context(), runner, from, tree.Root())
			}
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.Contains(err.Error(), "worktree.setup")) {
				t.Fatalf("got %v, want %q", err, c.wrong)
			}
			for path, want := range c.want {
				got, _ := os.ReadFile(filepath.Join(tree.Root(), path))
				if want = strings.ReplaceAll(want, "ROOT", from); string(got) != want {
					t.Errorf("%s holds %q, want %q", path, got, want)
				}
			}
		})
	}
}

// What is asked for later needs the packages of then.
func TestPackagesAreBroughtAnewWhenOthersAreWanted(t *testing.T) {
	from, tree := newRepo(t, map[string]string{".gitignore": "node_modules\n", "node_modules/x": "1"}), treeOfNothing(t)
	for _, c := range []struct{ manifest, installed, want string }{
		{"{}", "1", "1"}, {"{}", "2", "1"}, {`{"dependencies": {}}`, "2", "2"},
	} {
		put(t, c.manifest, tree.Root(), "package.json")
		put(t, c.installed, from, "node_modules", "x")
		if err := (Setup{}).EnsurePackages(t.Context(), validate.Runner{Now: time.Now}, from, tree.Root()); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(tree.Root(), "node_modules", "x")); string(got) != c.want {
			t.Errorf("%+v: got %q, error %v", c, got, err)
		}
	}
}
