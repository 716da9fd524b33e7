package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/agent"
)

func TestMain(m *testing.M) {
	if code, was := process.Supervise(); was {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const example = `
version: 1
dispatches:
  - persona: executor
    phase: 1
    task: task-001
    turns:
      - text: I write it.
        calls:
          - write_file: {path: made.txt, content: "made\n"}
          - run_command: {command: cat made.txt}
          - list_files:
          - read_file: "{malformed"
        usage: {input: 1200, cached: 800, output: 90, cost: 0.004}
      - reply: {status: done, summary: Made it.}
  - persona: executor
    phase: 1
    task: task-001
    attempt: 2
    turns:
      - text: I have no idea.
      - calls:
          - run_command: {command: "true"}
  - persona: reviewer
    turns:
      - reply: {v: 1, status: done, summary: Fine.}
      - text: And another thing.
`

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("turns.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// play makes a dispatch through the built-in loop.
func play(t *testing.T, f *File, key personas.Key) (personas.Outcome, string, error) {
	t.Helper()
	dir := t.TempDir()
	a := agent.New(nil, agent.Options{ModelFor: func(d personas.Dispatch) (agent.Model, error) { return f.Model(d.Key) }})
	out, err := a.Dispatch(t.Context(), personas.Dispatch{
		Key: key, Dir: dir, Prompt: "Anything at all.",
		Persona: personas.Persona{Name: personas.Executor, May: []string{personas.MayRead, personas.MayWrite, personas.MayRun}},
	})
	return out, dir, err
}

func TestTurnsAreReallyPlayed(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	f := parse(t, example)
	for range 2 { // a dispatch plays from its first turn each time
		out, dir, err := play(t, f, personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1})
		if err != nil || out.Kind != personas.GotReply || out.Reply.Summary != "Made it." {
			t.Fatalf("%+v, %v", out, err)
		}
		if want := (personas.Usage{InputTokens: 1200, CachedTokens: 800, OutputTokens: 90, CostUSD: 0.004}); out.Usage != want {
			t.Errorf("usage %+v", out.Usage)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "made.txt")); err != nil || string(text) != "made\n" {
			t.Errorf("the tool did not run: %q, %v", text, err)
		}
	}
}

func TestCallsAreSentAsWritten(t *testing.T) {
	m, err := parse(t, example).Model(personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := m.Turn(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []personas.Call{
		{ID: "call_1_1", Name: "write_file", Arguments: `{"content":"made\n","path":"made.txt"}`},
		{ID: "call_1_2", Name: "run_command", Arguments: `{"command":"cat made.txt"}`},
		{ID: "call_1_3", Name: "list_files", Arguments: `{}`},
		{ID: "call_1_4", Name: "read_file", Arguments: `{malformed`},
	}
	if diff := cmp.Diff(want, got.Calls); diff != "" || got.Content != "I write it." {
		t.Errorf("%q %s", got.Content, diff)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	f := parse(t, example)
	_, _, err := play(t, f, personas.Key{Persona: "planner", Phase: 2, Attempt: 1})
	if err == nil || !strings.Contains(err.Error(), "turns.yaml has no dispatch planner phase 2 attempt 1") {
		t.Errorf("a missing dispatch: %v", err)
	}
	_, _, err = play(t, f, personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 2})
	if err == nil || !strings.Contains(err.Error(), "executor phase 1 task-001 attempt 2 has no turn 3") {
		t.Errorf("a missing turn: %v", err)
	}
}

func TestUnusedTurnIsNamed(t *testing.T) {
	_, _, err := play(t, parse(t, example), personas.Key{Persona: "reviewer", Attempt: 1})
	if err == nil || !strings.Contains(err.Error(), "reviewer attempt 1 ended before turn 2 of 2") {
		t.Errorf("got %v", err)
	}
}

func TestUnusedDispatchesAreKnownOverAllRuns(t *testing.T) {
	f := parse(t, example)
	first := personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1}
	if got := f.Unused([]personas.Key{first, {Persona: "reviewer", Attempt: 1}}); len(got) != 1 || got[0].Attempt != 2 {
		t.Errorf("%v", got)
	}
	if got := f.Unused(f.Unused(nil)); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestFaultsEndADispatch(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, fault := range []personas.OutcomeKind{personas.RateLimited, personas.Auth, personas.Crashed, personas.NoReply, personas.TimedOut} {
		f := parse(t, `{version: 1, dispatches: [{persona: executor, turns: [
			{calls: [{write_file: {path: half.txt, content: x}}]}, {fault: `+string(fault)+`, detail: so it goes, retry_after: 90s, times: 1}, {reply: {status: done, summary: At last.}}]}]}`)
		f.Now = func() time.Time { return now }
		key := personas.Key{Persona: "executor", Attempt: 1}
		out, dir, err := play(t, f, key)
		if fault == personas.NoReply { // the dispatch ended, and turns are left
			if err == nil || !strings.Contains(err.Error(), "ended before turn 3 of 3") || out.Kind != fault {
				t.Errorf("%s: %+v, %v", fault, out, err)
			}
			continue
		}
		if err != nil || out.Kind != fault || !strings.Contains(out.Detail, "so it goes") {
			t.Errorf("%s: %+v, %v", fault, out, err)
		}
		if fault == personas.RateLimited && !out.Until.Equal(now.Add(90*time.Second)) {
			t.Errorf("until %v", out.Until)
		}
		if _, err := os.Stat(filepath.Join(dir, "half.txt")); err != nil {
			t.Errorf("%s: the turns before the fault were not played", fault)
		}
		if again, _, err := play(t, f, key); err != nil || again.Kind != personas.GotReply {
			t.Errorf("%s: a fault that happens once happened again: %+v, %v", fault, again, err)
		}
	}
}

func TestHangEndsWhenItIsStopped(t *testing.T) {
	m, err := parse(t, `{version: 1, dispatches: [{persona: planner, turns: [{fault: hang}]}]}`).Model(personas.Key{Persona: "planner", Attempt: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, _, err := m.Turn(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, _, err := m.Turn(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped dispatch went on: %v", err)
	}
}

func TestLimitWithoutAClockTellsItsEndOnlyWhenWritten(t *testing.T) {
	f := parse(t, `{version: 1, dispatches: [{persona: planner, turns: [{fault: rate_limited, until: 2030-01-02T03:04:05Z}]}]}`)
	out, _, err := play(t, f, personas.Key{Persona: "planner", Attempt: 1})
	if err != nil || out.Until.Year() != 2030 || !strings.Contains(out.Detail, "the replay file says so") {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestMistakesInAFileAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no version":      {"dispatches: []", `write "version: 1"`},
		"empty":           {"", "version"},
		"not YAML":        {"{", "turns.yaml"},
		"unknown key":     {"version: 1\ndispatchs: []", "dispatchs"},
		"unknown persona": {"version: 1\ndispatches: [{persona: boss, turns: [{text: x}]}]", `persona "boss"`},
		"twice":           {"version: 1\ndispatches: [{persona: planner, turns: [{text: x}]}, {persona: planner, attempt: 1, turns: [{text: x}]}]", "dispatch 2 (planner attempt 1): it is there twice"},
		"no turns":        {"version: 1\ndispatches: [{persona: planner}]", "no turns"},
		"empty turn":      {"version: 1\ndispatches: [{persona: planner, turns: [{}]}]", "turn 1: the turn is empty"},
		"null turn":       {"version: 1\ndispatches: [{persona: planner, turns: [~]}]", "turn 1 is empty"},
		"unknown fault":   {"version: 1\ndispatches: [{persona: planner, turns: [{fault: rain}]}]", `fault "rain"`},
		"fault and text":  {"version: 1\ndispatches: [{persona: planner, turns: [{fault: auth, text: x}]}]", "a turn with a fault"},
		"two tools":       {"version: 1\ndispatches: [{persona: planner, turns: [{calls: [{a: {}, b: {}}]}]}]", "one tool each"},
		"list arguments":  {"version: 1\ndispatches: [{persona: planner, turns: [{calls: [{a: [1]}]}]}]", "the arguments of a"},
		"odd arguments":   {"version: 1\ndispatches: [{persona: planner, turns: [{calls: [{a: {b: {1: c}}}]}]}]", "the arguments of a"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("turns.yaml", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestFileIsLoadedFromDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turns.yaml")
	if _, err := Load(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil || len(f.Unused(nil)) != 3 || f.Name != path {
		t.Errorf("%v", err)
	}
}

// TestDocumentedExampleIsValid reads the example that people copy.
func TestDocumentedExampleIsValid(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(src), "## A replay file\n")
	_, text, _ = strings.Cut(text, "```yaml\n")
	text, _, _ = strings.Cut(text, "```\n")
	f, err := Parse("files.md", []byte(text))
	if err != nil || len(f.Unused(nil)) != 4 {
		t.Errorf("%v in\n%s", err, text)
	}
}
