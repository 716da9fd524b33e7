package agent

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"autopilot/autopilot/inmemory"
	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	if len(os.Args) == 3 && os.Args[1] == beMCPServer {
		os.Exit(serveMCP(os.Args[2]))
	}
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	inmemory.Use()
	var err error
	if templates, err = os.MkdirTemp("", "autopilot-agent-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(templates)
	os.Exit(code)
}

// script is a model of prepared answers. It keeps what it was sent.
type script struct {
	turns    []func(ctx context.Context) (personas.Message, personas.Usage, error)
	next     int
	messages []personas.Message
	tools    []personas.Tool
	finished error
}

func (s *script) Turn(ctx context.Context, messages []personas.Message, tools []personas.Tool) (personas.Message, personas.Usage, error) {
	s.messages, s.tools = append([]personas.Message(nil), messages...), tools
	if s.next == len(s.turns) {
		return personas.Message{Content: "I have nothing to say."}, personas.Usage{}, nil
	}
	s.next++
	return s.turns[s.next-1](ctx)
}

func (s *script) Finish() error { return s.finished }

type turn = func(ctx context.Context) (personas.Message, personas.Usage, error)

func says(text string) turn {
	return func(context.Context) (personas.Message, personas.Usage, error) {
		return personas.Message{Content: text}, personas.Usage{InputTokens: 10, OutputTokens: 1}, nil
	}
}

// calls gives a turn of name, arguments pairs.
func calls(pairs ...string) turn {
	var m personas.Message
	for i := 0; i < len(pairs); i += 2 {
		m.Calls = append(m.Calls, personas.Call{Name: pairs[i], Arguments: pairs[i+1]})
	}
	return func(context.Context) (personas.Message, personas.Usage, error) {
		return m, personas.Usage{InputTokens: 10, OutputTokens: 1}, nil
	}
}

func fails(err error) turn {
	return func(context.Context) (personas.Message, personas.Usage, error) {
		return personas.Message{}, personas.Usage{}, err
	}
}

const doneReply = `{"v":1,"status":"done","summary":"Did it."}`

// world is a repository with a session, and a dispatch of the executor in it.
func world(t testing.TB) personas.Dispatch {
	t.Helper()
	dir := t.TempDir()
	template := filepath.Join(templates, "world")
	templateMade.Do(func() { makeTemplate(t, template) })
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	return personas.Dispatch{
		ID: "d1", Key: personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1},
		Persona: personas.Persona{Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite, personas.MayRun}},
		Prompt:  "Do the task.", Dir: dir,
		OutDir:        filepath.Join(dir, ".harness/out/d1"),
		ScratchpadDir: filepath.Join(dir, ".harness/out/d1/scratchpad"),
		SpecCopy:      filepath.Join(dir, ".harness/sessions/s/spec.md"),
		AttemptDir:    filepath.Join(dir, ".harness/sessions/s/attempts/1/task-001/1"),
		PlanDirs:      []string{filepath.Join(dir, "docs/plans")},
	}
}

// templates is the folder of the repository that the worlds are copies of.
var templates string

var templateMade sync.Once

// makeTemplate is called when the first test wants a copy.
func makeTemplate(t testing.TB, dir string) {
	t.Helper()
	put(t, dir, map[string]string{
		"main.go":                           "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n",
		"docs/spec.md":                      "# Spec\n",
		"docs/plans/.keep":                  "",
		".gitignore":                        "build/\n",
		"build/out.txt":                     "hello ignored\n",
		".harness/sessions/s/spec.md":       "# The copy\n",
		".harness/sessions/s/events.jsonl":  "{}\n",
		".harness/out/d1/notes.md":          "my note\n",
		".harness/out/d2/notes.md":          "another's note\n",
		"sub/.gitignore":                    "*.tmp\n",
		"sub/a.tmp":                         "hello ignored\n",
		"sub/deep/b.go":                     "package deep\n\n// hello from below\n",
		"bin.dat":                           "hello\x00binary",
		"crlf.txt":                          "one\r\ntwo\r\nthree\r\n",
		"sub/deep/hello (strange) name.txt": "hello there\n",
	})
	git(t, dir, "init", "-q", "-b", "main", "--template=")
	git(t, dir, "add", "main.go", "docs", ".gitignore", "sub", "crlf.txt", "bin.dat")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
	git(t, dir, "repack", "-q", "-a", "-d") // a file to copy, not a file and a folder for each object
}

func as(d personas.Dispatch, name personas.Name) personas.Dispatch {
	set, err := personas.Load(nil)
	if err != nil {
		panic(err)
	}
	d.Persona = set.For(name, personas.Work)
	return d
}

func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t testing.TB, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// use runs one tool in a dispatch and gives its result.
func use(t *testing.T, d personas.Dispatch, name string, arguments any) string {
	t.Helper()
	raw, ok := arguments.(string)
	if !ok {
		encoded, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(encoded)
	}
	d.Persona.Owes = nil
	s := &script{turns: []turn{calls(name, raw), calls(toolbox.SubmitReply, doneReply)}}
	out, err := New(s, Options{}).Dispatch(t.Context(), d)
	if err != nil || out.Kind != personas.GotReply {
		t.Fatalf("%s %s: %+v, %v", name, raw, out, err)
	}
	return s.messages[len(s.messages)-1].Content
}

type args map[string]any

func wantIn(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
}
