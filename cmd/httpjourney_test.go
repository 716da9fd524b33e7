package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"autopilot/autopilot/machine"
	"autopilot/cmd"
	"autopilot/cmd/console"
)

// apiKey must never be seen outside of the Authorization header.
const apiKey = "sk-loopback-4f9c2e7d81b35a60"

// journey is a repository whose spec is run over HTTP.
type journey struct {
	t       *testing.T
	server  *chatServer
	dir     string
	environ []string
	flags   []string
	later   time.Duration // what the clock is ahead
	slept   atomic.Int64  // how long the program slept, which takes no time here
	asleep  func()        // is called whenever it sleeps; may be nil
	said    bytes.Buffer  // everything that the program printed
	last    string        // of the last command
}

// newJourney makes the repository of phrases.txtar. config is its autopilot.yaml, with ADDRESS for the server's address.
func newJourney(t *testing.T, config string, variables, flags []string) *journey {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "http", "phrases.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	j := &journey{t: t, dir: filepath.Join(t.TempDir(), "repo"), flags: flags}
	if j.dir, err = realPath(j.dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		switch name, inside := strings.CutPrefix(f.Name, "repo/"); {
		case inside:
			j.write(name, string(f.Data))
		case f.Name == "replay.yaml":
			j.server = serveTurns(t, f.Data)
		default:
			j.write("../"+name, string(f.Data))
		}
	}
	fill := strings.NewReplacer("ADDRESS", j.server.URL+"/v1")
	j.write("autopilot.yaml", fill.Replace(config)+"validate: {commands: [test -s README.md]}\n")
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A User", "GIT_AUTHOR_EMAIL": "user@example.com", "GIT_COMMITTER_NAME": "A User", "GIT_COMMITTER_EMAIL": "user@example.com",
	} {
		t.Setenv(name, value)
	}
	j.environ = slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "OPENAI_") || strings.HasPrefix(e, "AUTOPILOT_")
	})
	j.environ = append(j.environ, "AUTOPILOT_TRUST=1", "AUTOPILOT_VERIFY_BLIND=off") // its prompts are another story's
	for _, v := range variables {
		j.environ = append(j.environ, fill.Replace(v))
	}
	j.git("init", "-q", "-b", "main")
	j.git("add", "-A")
	j.git("commit", "-q", "-m", "Begin")
	return j
}

// realPath makes a folder and gives its path without links, as git has it.
func realPath(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

func (j *journey) write(name, text string) {
	j.t.Helper()
	path := filepath.Join(j.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		j.t.Fatal(err)
	}
}

func (j *journey) git(args ...string) string {
	j.t.Helper()
	git := exec.CommandContext(j.t.Context(), "git", args...)
	git.Dir = j.dir
	out, err := git.CombinedOutput()
	if err != nil {
		j.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// types runs a command in the repository and expects its exit code.
func (j *journey) types(want int, args ...string) {
	j.t.Helper()
	code := 0
	code, j.last = j.prints(args...)
	j.said.WriteString(j.last)
	if code != want {
		j.t.Fatalf("autopilot %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, j.last)
	}
}

// prints runs a command, and gives its exit code and what it printed.
func (j *journey) prints(args ...string) (int, string) {
	var out bytes.Buffer
	code := cmd.Main(args, console.Host{
		In: strings.NewReader(""), Out: &out, Err: &out, Dir: j.dir, Environ: j.environ,
		Now: func() time.Time { return time.Now().Add(j.later + time.Duration(j.slept.Load())) },
		Sleep: func(ctx context.Context, d time.Duration) error {
			j.slept.Add(int64(d))
			if j.asleep != nil {
				j.asleep()
			}
			return ctx.Err()
		},
	})
	return code, out.String()
}

// runs runs or resumes a spec.
func (j *journey) runs(want int, spec string, flags ...string) {
	j.t.Helper()
	j.types(want, append(append([]string{spec, "--yes", "--verbose"}, j.flags...), flags...)...)
}

func (j *journey) state(session string) machine.State {
	j.t.Helper()
	data, err := os.ReadFile(filepath.Join(j.dir, ".harness", "sessions", session, "autopilot-state.json"))
	var s machine.State
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		j.t.Fatal(err)
	}
	return s
}

// keepsTheKey looks for the key in everything that was printed, sent or written.
func (j *journey) keepsTheKey() {
	j.t.Helper()
	if strings.Contains(j.said.String(), apiKey) {
		j.t.Error("the key was printed")
	}
	for _, a := range j.server.asked {
		if a.bearer != "Bearer "+apiKey {
			j.t.Errorf("request %d carries %q", a.n, a.bearer)
		}
		if strings.Contains(a.body, apiKey) {
			j.t.Errorf("the key is in the body of request %d (%s)", a.n, a.key)
		}
	}
	files := 0
	err := filepath.WalkDir(j.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(apiKey)) {
			j.t.Errorf("the key is in %s", path)
		}
		files++
		return err
	})
	if err != nil || files < 40 {
		j.t.Errorf("looked at %d files: %v", files, err)
	}
}

// wholeWay types what a person types from the first command to DONE.
func (j *journey) wholeWay() {
	j.t.Helper()
	const spec = "docs/spec.md"
	j.runs(3, spec)
	plan, err := os.ReadFile(filepath.Join(j.dir, "..", "farewell-plan.md"))
	if err != nil {
		j.t.Fatal(err)
	}
	j.write("docs/plans/farewell-plan.md", string(plan))
	j.runs(3, spec)
	j.types(0, "answer", spec, "2")
	j.runs(3, spec)
	j.types(0, "answer", spec, "revise", "--reason", "Please is the polite word.")
	j.runs(3, spec)
	j.types(0, "answer", spec, "yes")
	j.runs(0, spec)
	s := j.state("spec")
	if s.CurrentState != machine.Done || s.Usage.CachedTokens != 400 || s.Usage.InputTokens < 2000 || s.Usage.OutputTokens < 100 { // most are guessed
		j.t.Errorf("%s, %+v", s.CurrentState, s.Usage)
	}
	want := []string{
		"Begin", "[autopilot][phase 1] Plan: Greeting", "[autopilot][phase 1] Say hello",
		"[autopilot][phase 2] Plan: Farewell", "[autopilot][phase 2] Say goodbye",
		"[autopilot][phase 3] Plan: Manners", "[autopilot][phase 3] Ask politely",
	}
	if diff := cmp.Diff(want, strings.Split(j.git("log", "--reverse", "--format=%s"), "\n")); diff != "" {
		j.t.Error(diff)
	}
}
