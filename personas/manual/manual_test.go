package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

const done = `{"v":1,"status":"done","summary":"Did it."}`

// world is a session with a dispatch in it, and the folder where a person works.
func world(t *testing.T) (d personas.Dispatch, place string) {
	t.Helper()
	root := t.TempDir()
	session, out := filepath.Join(root, "session"), filepath.Join(root, "tree", ".harness", "out", "d1")
	d = personas.Dispatch{
		Key:     personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1},
		Persona: personas.Persona{Name: personas.Executor, Owes: []string{"summary"}},
		Prompt:  "Reply: " + filepath.Join(out, "reply.json") + "\nNotes: " + filepath.Join(out, "scratchpad") + "\n",
		OutDir:  out, ReplyPath: filepath.Join(out, "reply.json"), ScratchpadDir: filepath.Join(out, "scratchpad"),
		SessionDir: session, AttemptDir: filepath.Join(session, "attempts/1/task-001/1"),
	}
	for _, dir := range []string{d.ScratchpadDir, d.AttemptDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d, filepath.Join(session, "inbox", "executor-1-task-001")
}

func play(t *testing.T, d personas.Dispatch) personas.Outcome {
	t.Helper()
	out, err := New().Dispatch(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// waits expects that the dispatch waits for a person, and says these words.
func waits(t *testing.T, out personas.Outcome, parts ...string) {
	t.Helper()
	if out.Kind != personas.Waiting || out.Reply != nil {
		t.Fatalf("outcome %q, reply %+v: it does not wait", out.Kind, out.Reply)
	}
	for _, part := range parts {
		if !strings.Contains(out.Detail, part) {
			t.Errorf("%q is not in %q", part, out.Detail)
		}
	}
}

func finished(t *testing.T, out personas.Outcome) {
	t.Helper()
	if out.Kind != personas.GotReply || out.Reply.Status != personas.StatusDone {
		t.Fatalf("outcome %q, reply %+v: the reply was not taken", out.Kind, out.Reply)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPromptIsWrittenAndNamesTheFileThatWorks(t *testing.T) {
	d, place := world(t)
	reply := filepath.Join(place, "reply.json")
	waits(t, play(t, d), filepath.Join(place, "prompt.md"), reply, "goes on once it is there")
	if turn := play(t, d).YourTurn; turn == nil || *turn != (personas.YourTurn{Prompt: filepath.Join(place, "prompt.md"), Words: 4, Reply: reply}) {
		t.Errorf("the person is asked for %+v", turn)
	}
	want := "Reply: " + reply + "\nNotes: " + filepath.Join(place, "scratchpad") + "\n"
	if got := read(t, place, "prompt.md"); got != want {
		t.Errorf("the prompt is %q, want %q", got, want)
	}
}

func TestNextDispatchTakesTheReplyOnce(t *testing.T) {
	d, place := world(t)
	waits(t, play(t, d))
	write(t, filepath.Join(place, "reply.json"), done)
	d.AttemptDir = filepath.Join(filepath.Dir(d.AttemptDir), "2")
	if err := os.MkdirAll(d.AttemptDir, 0o755); err != nil {
		t.Fatal(err)
	}
	finished(t, play(t, d))
	if got := read(t, d.AttemptDir, "handed-in.json"); got != done {
		t.Errorf("the attempt kept %q", got)
	}
	write(t, filepath.Join(d.AttemptDir, "reply.json"), done) // as the engine records it
	waits(t, play(t, d))
}

func TestReplyThatWasTakenAndNotRecordedIsTakenAgain(t *testing.T) {
	d, place := world(t)
	old := filepath.Join(d.AttemptDir, "reply.json")
	write(t, old, `{"v":1,"status":"blocked","summary":"of another time","blocker":"b"}`)
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	waits(t, play(t, d))
	write(t, filepath.Join(place, "reply.json"), done)
	finished(t, play(t, d))
	finished(t, play(t, d))
}

func TestReplyThatCannotBeTakenIsNamedAndWaitedFor(t *testing.T) {
	for name, c := range map[string]struct{ text, problem string }{
		"half written":  {`{"v":1,"status":"do`, "it is not JSON"},
		"empty":         {"", "it is empty"},
		"without words": {`{"v":1,"status":"done"}`, "summary is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			d, place := world(t)
			waits(t, play(t, d))
			reply := filepath.Join(place, "reply.json")
			write(t, reply, c.text)
			if ready, err := New().Ready(d); ready || err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("ready %v, %v", ready, err)
			}
			out := play(t, d)
			waits(t, out, c.problem, reply, "Fix it")
			if !strings.Contains(out.YourTurn.Problem, c.problem) {
				t.Errorf("the problem is %q", out.YourTurn.Problem)
			}
			if got := read(t, reply); got != c.text {
				t.Errorf("the person's file became %q", got)
			}
		})
	}
}

func TestReadyOnceTheReplyIsWhole(t *testing.T) {
	d, place := world(t)
	if ready, err := New().Ready(d); ready || err != nil {
		t.Errorf("before the prompt: ready %v, %v", ready, err)
	}
	waits(t, play(t, d))
	if ready, err := New().Ready(d); ready || err != nil {
		t.Errorf("before the reply: ready %v, %v", ready, err)
	}
	write(t, filepath.Join(place, "reply.json"), done)
	d.AttemptDir = "" // whoever asks does not know it
	if ready, err := New().Ready(d); !ready || err != nil {
		t.Errorf("with the reply: ready %v, %v", ready, err)
	}
}

func TestNotesGoToThePersonAndComeBack(t *testing.T) {
	d, place := world(t)
	write(t, filepath.Join(d.ScratchpadDir, "before.md"), "of an earlier dispatch")
	waits(t, play(t, d))
	if got := read(t, place, "scratchpad", "before.md"); got != "of an earlier dispatch" {
		t.Errorf("the person found %q", got)
	}
	write(t, filepath.Join(place, "scratchpad", "before.md"), "mended")
	write(t, filepath.Join(place, "scratchpad", "mine.md"), "my note")
	waits(t, play(t, d))
	write(t, filepath.Join(place, "reply.json"), done)
	finished(t, play(t, d))
	if a, b := read(t, d.ScratchpadDir, "before.md"), read(t, d.ScratchpadDir, "mine.md"); a != "mended" || b != "my note" {
		t.Errorf("the dispatch got %q and %q", a, b)
	}
}

func TestDispatchesOfOtherWorkHavePlacesOfTheirOwn(t *testing.T) {
	d, _ := world(t)
	places := map[string]bool{}
	for _, k := range []personas.Key{
		{Persona: "planner", Phase: 1},
		{Persona: "planner", Phase: 2},
		{Persona: "planner", Phase: 1, Task: "skeleton"},
		{Persona: "reviewer", Phase: 1},
		{Persona: "reviewer", Task: "final"},
		{Persona: "executor", Phase: 1, Task: "task-002"},
	} {
		d.Key = k
		places[placeOf(d).dir] = true
	}
	if len(places) != 6 {
		t.Errorf("they share places: %v", places)
	}
}

func TestNobodyIsAskedForADiagnosis(t *testing.T) {
	d, place := world(t)
	d.Purpose = personas.Diagnosis
	if out := play(t, d); out.Kind != personas.NoReply {
		t.Errorf("outcome %+v", out)
	}
	if _, err := os.Stat(place); !os.IsNotExist(err) {
		t.Errorf("a prompt was written: %v", err)
	}
}

func TestSessionThatCannotBeWrittenIsAnError(t *testing.T) {
	d, place := world(t)
	write(t, filepath.Dir(place), "a file where the inbox should be")
	if _, err := New().Dispatch(t.Context(), d); err == nil {
		t.Error("no error")
	}
}
