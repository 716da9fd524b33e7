//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/process"
	"autopilot/personas"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const done = `{"v":1,"status":"done","summary":"Did it."}`

// world is a working tree outside any repository, with a dispatch of the executor in it.
func world(t *testing.T) personas.Dispatch {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	session := filepath.Join(t.TempDir(), "session")
	out := filepath.Join(dir, ".harness", "out", "d1")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	reply := filepath.Join(out, "reply.json")
	return personas.Dispatch{
		ID: "d1", Key: personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1},
		Persona: personas.Persona{Name: personas.Executor, May: []string{personas.MayWrite}},
		Prompt:  "Do the task.\n", Dir: dir, OutDir: out, ReplyPath: reply,
		SessionDir: session, AttemptDir: filepath.Join(session, "attempts", "1", "task-001", "1"),
		Env: map[string]string{"AUTOPILOT_REPLY": reply, "AUTOPILOT_TASK": "task-001"},
	}
}

// sh makes a Backend of a shell script. The working folder is the tree.
func sh(script string, args ...string) *Backend {
	return New(Options{Argv: append([]string{"sh", "-c", script, "agent"}, args...)})
}

// play runs one dispatch and expects that it could be made.
func play(t *testing.T, b *Backend, d personas.Dispatch) personas.Outcome {
	t.Helper()
	out, err := b.Dispatch(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func wantKind(t *testing.T, out personas.Outcome, kind personas.OutcomeKind, parts ...string) {
	t.Helper()
	if out.Kind != kind {
		t.Fatalf("outcome %q (%s), want %q", out.Kind, out.Detail, kind)
	}
	for _, part := range parts {
		if !strings.Contains(out.Detail, part) {
			t.Errorf("%q is not in %q", part, out.Detail)
		}
	}
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
