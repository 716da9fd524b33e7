package personas

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzReply: whatever an agent hands in is a reply that keeps the schema, or an error that says what is wrong with it.
func FuzzReply(f *testing.F) {
	for _, text := range []string{
		`{"v":1,"status":"done","summary":"x"}`, `{"status":"Completed","summary":" x ","findings":[{"severity":"BLOCKING","title":"a","line":3}]}`,
		`{"v":1,"status":"blocked","summary":"x","blocker":"y","criteria":[{"text":"t","satisfied":true,"confidence":"High"}]}`,
		`{"v":1e999,"status":"done"}`, `{"status":"failed","status":"done","summary":"x"}`, strings.Repeat(`{"findings":[`, 200), "\ufeff{}", "[]", "null",
		"Done.\n```json\n{\"v\":1,\"status\":\"done\",\"summary\":\"x\"}\n```", `{"phase":"x","summary":"y","completed":["a"],"blockers":[]}`,
		`{"v":` + strings.Repeat("9", 5000) + `}`, `{"status":"` + strings.Repeat("y", 5000) + `"}`, `{"` + strings.Repeat("k", 5000) + `":1,"` + strings.Repeat("k", 5000) + `":1}`,
		`{"findings":[` + strings.Repeat("{},", 1000) + "{}]}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for form, read := range map[string]func() (Reply, error){
			"a message": func() (Reply, error) { return FromMessage(string(data)) }, "a handoff": func() (Reply, error) { return FromHandoff(data) },
		} {
			r, err := read()
			if err == nil && (r.Summary == "" || len(r.problems()) > 0) {
				t.Errorf("taken from %s: %+v", form, r)
			}
			short(t, err)
		}
		r, err := ParseReply(data)
		if err != nil {
			var wrong *ReplyError
			if !errors.As(err, &wrong) || len(wrong.Problems) == 0 {
				t.Fatalf("an error without problems: %v", err)
			}
			short(t, err)
			return
		}
		if r.Summary == "" || r.Status != StatusDone && r.Status != StatusBlocked && r.Status != StatusFailed {
			t.Errorf("taken: %+v", r)
		}
		for _, found := range r.Findings {
			if found.Title == "" || found.Line < 0 || found.Severity != Critical && found.Severity != Important && found.Severity != Suggestion {
				t.Errorf("taken: %+v", found)
			}
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseReply(again); err != nil && len(again) <= maxReply {
			t.Errorf("what was taken is refused when it comes again: %v", err)
		}
	})
}

// short holds an error to what a person reads, and a prompt has room for.
func short(t *testing.T, err error) {
	t.Helper()
	const most = (maxProblems + 1) * (10*maxQuoted + 200) // of a character that is written as \U0010ffff
	if err != nil && len(err.Error()) > most {
		t.Errorf("an error of %d bytes: %.300q", len(err.Error()), err.Error())
	}
}

// FuzzPersonaFile: a persona's file is read or refused by its name, and never gives more tools than there are.
func FuzzPersonaFile(f *testing.F) {
	for _, text := range []string{"", "---\n---\nWork.", "---\nmodel: m\nbackend: b\n---\nWork.", "---\ntools: [everything]\n---\n", "---\nname: x\n", "---\n&a [*a]\n---\n", "\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := Load(fstest.MapFS{"executor.md": {Data: data}})
		if err != nil {
			if !strings.Contains(err.Error(), "executor.md") {
				t.Errorf("an error that names no file: %v", err)
			}
			return
		}
		if p := set.For(Executor, Work); p.Name != Executor {
			t.Errorf("the executor is %q", p.Name)
		}
	})
}
