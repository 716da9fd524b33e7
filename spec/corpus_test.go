package spec_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/spec"
)

// labelled is one line of the corpus: what a person reads in a document.
type labelled struct {
	File, Expect string
	Phases       []labelledPhase
	RefusalOK    bool            `json:"refusal_ok"`
	Optional     []labelledPhase `json:"optional_phases"`
}

type labelledPhase struct {
	Number, Name string
	Complexity   spec.Complexity
	Explicit     bool
	NameAlt      []string `json:"name_alt"`
}

func (want labelledPhase) matches(got spec.Phase) bool {
	names := append([]string{want.Name}, want.NameAlt...)
	return got.Number == want.Number && got.Complexity == want.Complexity && got.Explicit == want.Explicit &&
		slices.ContainsFunc(names, func(name string) bool { return canonical(name) == canonical(got.Name) })
}

func canonical(name string) string {
	return strings.TrimRight(strings.Join(strings.Fields(name), " "), ".:;, ")
}

func corpus(t testing.TB) (dir string, all []labelled) {
	t.Helper()
	dir = filepath.Join("..", "..", "shared", "corpus", "specs")
	labels, err := os.ReadFile(filepath.Join(dir, "labels.jsonl"))
	if err != nil {
		t.Skip("the corpus of real specs is not here")
	}
	lines := bufio.NewScanner(bytes.NewReader(labels))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return dir, all
}

func TestRealSpecsGiveTheLabelledPhases(t *testing.T) {
	dir, all := corpus(t)
	for _, want := range all {
		t.Run(want.File, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, want.File))
			if err != nil {
				t.Fatal(err)
			}
			got, err := spec.Parse(src)
			if want.Expect == "error" {
				if err == nil {
					t.Fatalf("got %d phases, want an error", len(got.Phases))
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			comparePhases(t, want, got.Phases)
			if err := got.Doubt(); err != nil {
				t.Errorf("a run would not begin: %v", err)
			}
			t.Logf("%q %q %d criteria, warnings %v", got.Title, got.Status, len(got.Criteria), got.Warnings)
		})
	}
}

func comparePhases(t *testing.T, want labelled, got []spec.Phase) {
	t.Helper()
	expected := want.Phases
	if len(got) > len(expected) {
		expected = append(slices.Clone(expected), want.Optional...)
	}
	if len(got) != len(expected) {
		t.Fatalf("got %d phases, want %d: %+v", len(got), len(expected), got)
	}
	for i, p := range got {
		if !expected[i].matches(p) {
			t.Errorf("phase %d: got %s %q %s %v, want %+v", i, p.Number, p.Name, p.Complexity, p.Explicit, expected[i])
		}
	}
}
