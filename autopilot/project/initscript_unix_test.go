//go:build unix

package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// script is a repository with a written init.sh, and an npm that only notes that it ran.
type script struct {
	t         *testing.T
	root, bin string
}

func newScript(t *testing.T, npm string) script {
	t.Helper()
	s := script{t: t, root: t.TempDir(), bin: t.TempDir()}
	put(t, s.root, "web/package.json", "{}")
	put(t, s.root, "web/package-lock.json", "{}")
	put(t, s.bin, "npm", "#!/bin/sh\necho \"$@\" >>calls\n"+npm)
	if err := os.Chmod(filepath.Join(s.bin, "npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := Scan(s.root, []string{"web/package.json", "web/package-lock.json"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s.root, "init.sh", InitScript(p))
	s.run("git", "init", "-q")
	return s
}

// run runs a program in a folder below the root, and says whether it went well.
func (s script) run(name string, args ...string) bool {
	s.t.Helper()
	c := exec.CommandContext(s.t.Context(), name, args...)
	c.Dir = s.root
	c.Env = append(os.Environ(), "PATH="+s.bin+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	s.t.Logf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	return err == nil
}

// calls is how often npm ran.
func (s script) calls() int {
	text, _ := os.ReadFile(filepath.Join(s.root, "web", "calls")) // none before the first
	return strings.Count(string(text), "ci\n")
}

func TestInitScriptInstallsWhatIsMissingOrOutdatedOnly(t *testing.T) {
	for name, npm := range map[string]string{
		"packages":    "mkdir -p node_modules\n",
		"no packages": "rm -rf node_modules\n", // as npm ci leaves a project without dependencies
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, npm)
			for i, want := range []int{1, 1} {
				if !s.run("sh", "init.sh") || s.calls() != want {
					t.Errorf("run %d: npm ran %d times, want %d", i+1, s.calls(), want)
				}
			}
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(filepath.Join(s.root, "web", "package-lock.json"), later, later); err != nil {
				t.Fatal(err)
			}
			if !s.run("sh", "init.sh") || s.calls() != 2 {
				t.Errorf("the lock file changed, and npm ran %d times, want 2", s.calls())
			}
		})
	}
}

func TestInitScriptBeginsAgainWhereAnInstallFailed(t *testing.T) {
	s := newScript(t, "mkdir node_modules || exit 0\nexit 7\n")
	if s.run("sh", "init.sh") {
		t.Error("the failed install passed")
	}
	if !s.run("sh", "init.sh") || s.calls() != 2 {
		t.Errorf("npm ran %d times, want 2: half an install is none", s.calls())
	}
	if !s.run("sh", "init.sh") || s.calls() != 2 {
		t.Errorf("npm ran %d times, want 2: all is there", s.calls())
	}
}

func TestInitScriptsAreForEveryShell(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, script, there := strings.Cut(string(text), "-- init.sh --\n")
		if !there {
			continue
		}
		c := exec.CommandContext(t.Context(), "sh", "-n")
		c.Stdin = strings.NewReader(script)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}
