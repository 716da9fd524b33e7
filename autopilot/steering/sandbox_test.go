package steering

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/git"
)

// sandbox is a repository with a commit, and with something of each kind that steers git.
type sandbox struct {
	t     *testing.T
	root  string
	files Files
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	s := &sandbox{t: t, root: t.TempDir()}
	s.git("init", "-q", "-b", "main")
	s.git("config", "user.name", "Ada")
	s.git("config", "user.email", "ada@example.com")
	s.write("a.txt", "a\n")
	s.write("dir/b.txt", "b\n")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "Begin")
	s.write(".git/info/exclude", "*.log\n")
	s.hook("pre-commit", "exit 1")
	s.git("remote", "add", "up", "../up")
	s.git("config", "filter.Up.clean", "tr a-z A-Z")
	s.git("config", "--add", "filter.Up.clean", "tr b-z B-Z")
	repo, err := git.Find(t.Context(), s.root)
	s.must(err)
	s.files = Files{Repo: repo}
	return s
}

func (s *sandbox) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) try(args ...string) (string, error) {
	c := exec.CommandContext(s.t.Context(), "git", args...)
	c.Dir = s.root
	c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (s *sandbox) git(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

func (s *sandbox) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

func (s *sandbox) write(name, text string) {
	s.t.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	s.must(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *sandbox) hook(name, text string) {
	s.t.Helper()
	s.write(".git/hooks/"+name, "#!/bin/sh\n"+text+"\n")
	s.chmod(".git/hooks/"+name, 0o755)
}

func (s *sandbox) chmod(name string, mode os.FileMode) { s.must(os.Chmod(s.path(name), mode)) }
func (s *sandbox) remove(name string)                  { s.must(os.RemoveAll(s.path(name))) }
func (s *sandbox) link(to, name string)                { s.must(os.Symlink(to, s.path(name))) }
func (s *sandbox) head() string                        { return s.git("rev-parse", "HEAD") }

// read is a file's text; "<none>" is that there is none.
func (s *sandbox) read(name string) string {
	if text, err := os.ReadFile(s.path(name)); err == nil {
		return string(text)
	}
	if to, err := os.Readlink(s.path(name)); err == nil {
		return to
	}
	return "<none>"
}

func equal(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func equalList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
