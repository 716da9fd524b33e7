package refs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"autopilot/autopilot/git"
	"autopilot/autopilot/inmemory"
)

// templates is the folder of the repositories that the sandboxes are copies of.
var templates string

// TestMain keeps every test away from the configuration of whoever runs it.
func TestMain(m *testing.M) {
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		os.Unsetenv(name)
	}
	inmemory.Use()
	var err error
	if templates, err = os.MkdirTemp("", "autopilot-git-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(templates)
	os.Exit(code)
}

// fataler is a test, or one round of a property test.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// sandbox is a real repository in a temporary folder.
type sandbox struct {
	fataler
	dir  string
	repo *git.Repo
}

// newSandbox has one commit with a.txt, b.txt, dir/c.txt and the executable run.sh on the branch main.
func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	return copyOf(t, seeded)
}

var seeded = &template{name: "seeded", build: func(s *sandbox) { s.init(); s.seed() }}

// template is a repository that is built once, when the first test wants a copy of it.
type template struct {
	name  string
	build func(*sandbox)
	once  sync.Once
}

func copyOf(t *testing.T, from *template) *sandbox {
	t.Helper()
	s := newFolder(t)
	dir := filepath.Join(templates, from.name)
	from.once.Do(func() {
		s.must(os.Mkdir(dir, 0o755))
		made := &sandbox{fataler: t, dir: dir}
		from.build(made)
		made.git("repack", "-q", "-a", "-d") // a file to copy, not a file and a folder for each object
	})
	s.must(os.CopyFS(s.dir, os.DirFS(dir)))
	repo, err := git.Find(t.Context(), s.dir)
	s.must(err)
	s.repo = repo
	return s
}

func newFolder(t *testing.T) *sandbox {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the tests need links and executable bits")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &sandbox{fataler: t, dir: dir}
}

func (s *sandbox) init() {
	s.Helper()
	s.git("init", "-q", "-b", "main", "--template=")
	s.git("config", "user.name", "Ada")
	s.git("config", "user.email", "ada@example.com")
}

func (s *sandbox) seed() {
	s.Helper()
	s.write("a.txt", "one\n")
	s.write("b.txt", "two\n")
	s.write("dir/c.txt", "three\n")
	s.write("run.sh", "true\n")
	s.chmod("run.sh", 0o755)
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "Start")
}

// git runs git as the user or an agent would, and returns what it printed.
func (s *sandbox) git(args ...string) string {
	s.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *sandbox) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, name) }

func (s *sandbox) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%v", err)
	}
}

func (s *sandbox) write(name, text string) {
	s.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	s.must(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *sandbox) chmod(name string, mode os.FileMode) {
	s.Helper()
	s.must(os.Chmod(s.path(name), mode))
}
func (s *sandbox) remove(name string)       { s.Helper(); s.must(os.RemoveAll(s.path(name))) }
func (s *sandbox) link(target, name string) { s.Helper(); s.must(os.Symlink(target, s.path(name))) }

// read is a file's content, "<none>" where there is none, and "-> target" for a link.
func (s *sandbox) read(name string) string {
	s.Helper()
	if target, err := os.Readlink(s.path(name)); err == nil {
		return "-> " + target
	}
	data, err := os.ReadFile(s.path(name))
	if os.IsNotExist(err) {
		return "<none>"
	}
	s.must(err)
	return string(data)
}

// index lists the index without the times that git notes beside its entries.
func (s *sandbox) index() string { s.Helper(); return s.git("ls-files", "-s", "-v") }

func (s *sandbox) head() string { s.Helper(); return s.git("rev-parse", "HEAD") }

func equal[T string | bool | int](t fataler, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func equalList(t fataler, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// weird are names that break programs which quote or split them carelessly. The last is no valid UTF-8, which macOS
// does not allow.
func weird() []string {
	names := []string{"new\nline", "-dash", `"quote"`, "tab\tand space ", "ünïcode", ":(top)magic", "star*", `back\slash`}
	if runtime.GOOS == "linux" {
		names = append(names, "latin-\xe9")
	}
	return names
}
