package hub

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.Use()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com",
		"GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.com",
	} {
		_ = os.Setenv(name, value) // else the tests fail
	}
	os.Exit(m.Run())
}

const slug = "shop"

// must runs git in a folder, and returns what it printed.
func must(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q in %s: %v\n%s", args, dir, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func write(t testing.TB, text string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read is the text of a file; one that is not there has the text "(none)".
func read(t testing.TB, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		return "(none)"
	}
	return string(text)
}

// newHub is a bare repository with a commit of files by path on main.
func newHub(t testing.TB, files map[string]string, init ...string) string {
	t.Helper()
	bare, seed := filepath.Join(t.TempDir(), "hub.git"), t.TempDir()
	must(t, seed, append([]string{"init", "--quiet", "--bare", "--initial-branch=main", bare}, init...)...)
	must(t, seed, append([]string{"init", "--quiet", "--initial-branch=main", "."}, init...)...)
	for name, text := range files {
		write(t, text, seed, name)
	}
	must(t, seed, "add", "--all", "--force")
	must(t, seed, "commit", "--quiet", "--allow-empty", "-m", "begin")
	must(t, seed, "push", "--quiet", bare, "main")
	return bare
}

// openClone is a worker's clone of a hub, in which run data is ignored as the worker has it.
func openClone(t testing.TB, bare string) *Clone {
	t.Helper()
	c, err := Open(t.Context(), filepath.Join(t.TempDir(), "clone"), bare, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	write(t, ".harness/\n", c.Dir, ".git", "info", "exclude")
	return c
}

func openSession(t testing.TB, c *Clone) *Session {
	t.Helper()
	s, err := c.Session(t.Context(), slug)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runTree is the run's own working tree on main, with what a step left.
func runTree(s *Session, work string) Tree {
	return Tree{Dir: s.clone.Dir, Branch: "main", At: s.Branch("main"), Work: work}
}

// begun is a session in a new clone whose working tree is restored.
func begun(t testing.TB, bare string) *Session {
	t.Helper()
	s := openSession(t, openClone(t, bare))
	restore(t, s, runTree(s, ""))
	return s
}

func restore(t testing.TB, s *Session, tree Tree) {
	t.Helper()
	if err := s.Restore(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
}

func save(t testing.TB, s *Session, branch string) {
	t.Helper()
	if err := s.Save(t.Context(), nil, branch); err != nil {
		t.Fatal(err)
	}
}

// kept is the commit of a working tree, which the hub has then.
func kept(t testing.TB, s *Session, tree Tree) string {
	t.Helper()
	work, err := s.Keep(t.Context(), tree)
	if err == nil {
		err = s.Save(t.Context(), map[string]string{tree.Task: work}, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return work
}

// shown are the files of a working tree that git does not ignore, with what they are.
func shown(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range strings.SplitSeq(must(t, dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		info, err := os.Lstat(filepath.Join(dir, name))
		switch {
		case name == "" || err != nil || info.IsDir():
		case info.Mode()&fs.ModeSymlink != 0:
			all[name], _ = os.Readlink(filepath.Join(dir, name))
			all[name] = "link to " + all[name]
		default:
			all[name] = info.Mode().Perm().String()[3:4] + " " + read(t, dir, name)
		}
	}
	return all
}

func status(t testing.TB, dir string) string {
	t.Helper()
	return must(t, dir, "status", "--porcelain", "-z", "--untracked-files=all")
}
