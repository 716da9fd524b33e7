//go:build unix

package acp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/command"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	if role, ok := os.LookupEnv(fakeRole); ok {
		newFake(role).serve()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const done = `{"v":1,"status":"done","summary":"Did it."}`

var executor = personas.Persona{Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite, personas.MayRun}}

// world is a working tree outside any repository, with a dispatch of the executor in it. What is told is kept.
func world(t *testing.T) (d personas.Dispatch, told *strings.Builder) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	session := filepath.Join(t.TempDir(), "session")
	out := filepath.Join(dir, ".harness", "out", "d1")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	told = &strings.Builder{}
	reply := filepath.Join(out, "reply.json")
	return personas.Dispatch{
		ID: "d1", Key: personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}, Persona: executor,
		Prompt: "Do the task.\n", Dir: dir, OutDir: out, ReplyPath: reply, PlanDirs: []string{filepath.Join(dir, "docs", "plans")},
		SessionDir: session, AttemptDir: filepath.Join(session, "attempts", "1", "task-001", "1"),
		Env:     map[string]string{"AUTOPILOT_REPLY": reply},
		OnEvent: func(kind, text string) { told.WriteString(kind + " " + text + "\n") },
		Timeout: time.Minute,
	}, told
}

// options are those of a fake agent in a role.
func options(role string) command.Options {
	return command.Options{Argv: []string{os.Args[0]}, Env: map[string]string{fakeRole: role, "GORACE": "atexit_sleep_ms=0"}, Now: func() time.Time {
		return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	}}
}

func play(t *testing.T, o command.Options, d personas.Dispatch) personas.Outcome {
	t.Helper()
	return playIn(t.Context(), t, o, d)
}

func playIn(ctx context.Context, t *testing.T, o command.Options, d personas.Dispatch) personas.Outcome {
	t.Helper()
	out, err := New(o).Dispatch(ctx, d)
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
