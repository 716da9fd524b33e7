package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// place is where a run of testdata/resume/story.txtar happens: always the same path, since a killed run is resumed where
// it was.
type place struct {
	dir    string
	repo   string
	replay string
	files  []txtar.File
	env    []string // of the processes that work in it
}

func newPlace(t testing.TB) *place {
	t.Helper()
	p := newStoryPlace(t, "resume", "story.txtar")
	p.env = append(p.env, "AUTOPILOT_VERIFY_BLIND=on") // the last one counts
	p.put(t, filepath.Join(p.repo, "notes of mine.txt"), []byte("not for autopilot\n"))
	return p
}

// newStoryPlace is a place with the repository and the turns of a story below testdata.
func newStoryPlace(t testing.TB, path ...string) *place {
	t.Helper()
	story, err := txtar.ParseFile(filepath.Join("testdata", filepath.Join(path...)))
	if err != nil {
		t.Fatal(err)
	}
	p := newEmptyPlace(t)
	p.files = story.Files
	p.write(t, "repo/", p.repo)
	p.write(t, "replay.yaml", p.replay)
	p.begin(t)
	return p
}

// newEmptyPlace is a place without a repository yet. What works in it has an environment of its own.
func newEmptyPlace(t testing.TB) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: dir, repo: filepath.Join(dir, "repo"), replay: filepath.Join(dir, "replay.yaml")}
	own := environmentIn(dir)
	p.env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return own[name] != ""
	})
	for name, value := range own {
		p.env = append(p.env, name+"="+value)
	}
	p.put(t, filepath.Join(p.dir, "tmp", "keep"), nil)
	return p
}

func environmentIn(dir string) map[string]string {
	return map[string]string{
		"HOME": dir, "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "XDG_STATE_HOME": filepath.Join(dir, "state"), "TMPDIR": filepath.Join(dir, "tmp"),
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"AUTOPILOT_FIX_AUTO":       "0", // what a test asks a person is asked; some set it
		"AUTOPILOT_VERIFY_BLIND":   "off",
		"AUTOPILOT_TRUST":          "1", // what is asked first is a story of its own
		"AUTOPILOT_NOTIFY_DESKTOP": "off", "AUTOPILOT_NOTIFY_TERMINAL": "off",
		"GIT_AUTHOR_NAME": "A User", "GIT_AUTHOR_EMAIL": "user@example.com",
		"GIT_COMMITTER_NAME": "A User", "GIT_COMMITTER_EMAIL": "user@example.com",
	}
}

// begin commits what is in the repository.
func (p *place) begin(t testing.TB) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main", "--template="}, {"add", "-A"}, {"commit", "-q", "-m", "Begin"}} {
		p.git(t, args...)
	}
}

// write puts the story's files that begin with prefix where to says.
func (p *place) write(t testing.TB, prefix, to string) {
	t.Helper()
	for _, f := range p.files {
		if rest, ok := strings.CutPrefix(f.Name, prefix); ok {
			p.put(t, filepath.Join(to, filepath.FromSlash(rest)), f.Data)
		}
	}
}

func (p *place) put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (p *place) git(t testing.TB, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Env = p.repo, p.env
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// session is the folder of the session.
func (p *place) session() string { return filepath.Join(p.repo, ".harness", "sessions", "spec") }

func (p *place) state(t testing.TB) machine.State {
	t.Helper()
	s, _, err := sessions.Read(p.session(), sessions.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// restore makes a copy the place's repository.
func (p *place) restore(t testing.TB, point string) {
	t.Helper()
	if err := os.RemoveAll(p.repo); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(point, p.repo); err != nil {
		t.Fatal(err)
	}
}

// journal is what happened, one event a line, to understand a failure by.
func (p *place) journal(t testing.TB) string {
	data, err := os.ReadFile(filepath.Join(p.session(), "events.jsonl"))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		b.WriteString(strings.TrimSpace(line[:min(len(line), 200)]) + "\n")
	}
	return "\nthe journal:\n" + b.String()
}

// copyTree copies a folder as it is. Git never writes into an object again, so these are linked.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case strings.HasPrefix(filepath.ToSlash(rel), ".git/objects/"):
			return os.Link(path, target)
		}
		return copyFile(path, target)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// copyFile keeps mode and time, by which git knows what changed.
func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}
