package replay

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"autopilot/personas"
)

// said is a model that answers one thing.
type said struct {
	answer personas.Message
	used   personas.Usage
}

func (s said) Turn(context.Context, []personas.Message, []personas.Tool) (personas.Message, personas.Usage, error) {
	return s.answer, s.used, nil
}

func TestRecordedTurnsArePlayedAsTheyWere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "replay.yaml")
	key := personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 2}
	rapid.Check(t, func(t *rapid.T) {
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		texts := rapid.StringOf(rapid.RuneFrom([]rune("ab \n\t\"'\\{}[]:#-|>&*!%@`,?0179.eyn~äß")))
		turns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) said {
			s := said{answer: personas.Message{Role: personas.RoleAssistant, Content: texts.Draw(t, "text")}}
			for range rapid.IntRange(0, 2).Draw(t, "calls") {
				s.answer.Calls = append(s.answer.Calls, personas.Call{Name: "write_file", Arguments: drawArguments(t, texts)})
			}
			s.used = personas.Usage{InputTokens: rapid.IntRange(0, 9).Draw(t, "input"), CostUSD: float64(rapid.IntRange(0, 3).Draw(t, "cents")) / 100}
			return s
		}), 1, 4).Draw(t, "turns")
		var want []said
		for n, turn := range turns {
			r, err := NewRecorder(path, nil) // each turn in a run of its own
			if err != nil {
				t.Fatalf("before turn %d: %v", n, err)
			}
			if _, _, err := r.Model(key, turn).Turn(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			if turn.answer.Content != "" || len(turn.answer.Calls) > 0 {
				want = append(want, turn)
			}
		}
		if len(want) == 0 {
			return
		}
		f, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Model(key)
		if err != nil {
			t.Fatal(err)
		}
		for n, w := range want {
			got, used, err := m.Turn(t.Context(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			same := got.Content == w.answer.Content && len(got.Calls) == len(w.answer.Calls) && used == w.used
			for i := range w.answer.Calls {
				same = same && got.Calls[i].Name == w.answer.Calls[i].Name && sameArguments(got.Calls[i].Arguments, w.answer.Calls[i].Arguments)
			}
			if !same {
				t.Fatalf("turn %d: %s", n, cmp.Diff(w.answer, got))
			}
		}
	})
}

func TestSecretsAreNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.yaml")
	r, err := NewRecorder(path, personas.NewMask(nil, "sk-12345678"))
	if err != nil {
		t.Fatal(err)
	}
	turn := said{answer: personas.Message{Content: "the key is sk-12345678", Calls: []personas.Call{{Name: "write_file", Arguments: `{"path":"a","content":"sk-12345678"}`}}}}
	if _, _, err := r.Model(personas.Key{Persona: "executor"}, turn).Turn(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "sk-12345678") || !strings.Contains(string(text), "[secret]") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestDispatchThatWasCutOffIsRecordedAsOne has a dispatch killed while what it submitted is checked, and made again: a reply
// that nobody took would end the played one before its time.
func TestDispatchThatWasCutOffIsRecordedAsOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.yaml")
	key := personas.Key{Persona: "executor", Phase: 1, Task: "task-001"}
	byHand := "version: 1\ndispatches: [{persona: executor, phase: 1, task: task-001, turns: [{text: oh, reply: {status: done, summary: x}, calls: [read_file: {path: a}]}]}]\n"
	if err := os.WriteFile(path, []byte(byHand), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(name string) personas.Call { return personas.Call{Name: name, Arguments: "{}"} }
	for _, run := range [][]personas.Message{
		{{Calls: []personas.Call{call("submit_reply")}}},
		{{Calls: []personas.Call{call("write_file"), call("submit_reply")}}, {Content: "hm"}, {Calls: []personas.Call{call("edit_file")}}, {Content: "ha"}, {Calls: []personas.Call{call("submit_reply")}}},
		{{Content: "so"}, {Calls: []personas.Call{call("submit_reply")}}, {Content: "well"}, {Calls: []personas.Call{call("submit_reply")}}},
	} {
		r, err := NewRecorder(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Model(key, nil).(*recordedModel)
		for _, answer := range run {
			m.of = said{answer: answer}
			if _, _, err := m.Turn(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Model(personas.Key{Persona: "executor", Phase: 1, Task: "task-001", Attempt: 1})
	if err != nil {
		t.Fatal(err)
	}
	var played []string
	for m.More() {
		answer, _, err := m.Turn(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, answer.Content)
		for _, call := range answer.Calls {
			played = append(played, call.Name)
		}
	}
	if want := "oh,read_file,,write_file,hm,,edit_file,ha,so,,submit_reply,well,,submit_reply"; strings.Join(played, ",") != want {
		t.Errorf("%q", strings.Join(played, ","))
	}
}

func TestCrashIsRecordedToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.yaml")
	key := personas.Key{Persona: "executor", Attempt: 1}
	r, err := NewRecorder(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := r.Model(personas.Key{Persona: "planner"}, nil) // has said nothing yet
	oops := &personas.EndError{Kind: personas.Crashed, Detail: "the model's server failed: oops"}
	gone := broken{oops}
	if _, _, err := r.Model(key, gone).Turn(t.Context(), nil, nil); !errors.Is(err, gone.err) || other == nil {
		t.Fatal(err)
	}
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Model(key)
	if err != nil {
		t.Fatal(err)
	}
	var end *personas.EndError
	if _, _, err := m.Turn(t.Context(), nil, nil); !errors.As(err, &end) || *end != *oops || m.Finish() != nil {
		t.Errorf("played as %v", err)
	}
}

// broken is a model that only fails.
type broken struct{ err error }

func (b broken) Turn(context.Context, []personas.Message, []personas.Tool) (personas.Message, personas.Usage, error) {
	return personas.Message{}, personas.Usage{}, b.err
}

func TestWhatIsNoRecordIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replay.yaml")
	if err := os.WriteFile(path, []byte("notes of mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewRecorder(path, nil); err == nil || !strings.Contains(err.Error(), "another folder") {
		t.Errorf("got %v", err)
	}
}

// drawArguments are those of a well-behaved model, or something else.
func drawArguments(t *rapid.T, texts *rapid.Generator[string]) string {
	if rapid.IntRange(0, 4).Draw(t, "malformed") == 0 {
		return texts.Draw(t, "malformed arguments")
	}
	data, err := json.Marshal(map[string]any{"path": texts.Draw(t, "path"), "content": texts.Draw(t, "content"), "n": rapid.Int32().Draw(t, "n"), "deep": []any{true, nil, map[string]any{"x": 1.5}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sameArguments compares what a tool would read.
func sameArguments(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return cmp.Equal(x, y)
}
