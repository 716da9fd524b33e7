package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
)

// checkImport holds what an import promises for any file: it is refused, or the core takes it, a run can start, it can
// be written and read back, and nothing is lost.
func checkImport(t *testing.T, file []byte) {
	t.Helper()
	im, err := legacy.Import(file, "csv", realOptions().sources())
	if err != nil {
		return
	}
	state, err := transition.Apply(machine.State{}, im.Event)
	if err != nil {
		t.Fatalf("the core refuses it: %v", err)
	}
	if _, ok := machine.Steps[state.CurrentState][state.Step]; !ok {
		t.Fatalf("%s has no step %s", state.CurrentState, state.Step)
	}
	machine.Next(state)
	for _, h := range state.History {
		_ = state.Phases[h.Phase]
	}
	if _, err := transition.Apply(state, machine.Event{Rev: 2, Type: machine.RunStarted, Branch: "b", Commit: "c"}); err != nil {
		t.Fatalf("no run can start: %v", err)
	}
	shown, err := format.Encode(state, im.Unknown)
	if err != nil {
		t.Fatalf("it cannot be written: %v", err)
	}
	if _, err := decodeSnapshot(SnapshotName, shown); err != nil {
		t.Fatalf("it cannot be read back: %v", err)
	}
	if missing := missingIn(literally(t, file), literally(t, shown), ""); len(missing) > 0 {
		t.Fatalf("lost %q\nof %s\nin %s", missing, file, shown)
	}
}

// literally reads a document whose numbers may be larger than any that Go can hold.
func literally(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"PHASES":[1,null,["x"]],"phases":{"a":1},"currentState":5,"history":[[],{"phase":"x","reviewFindings":[{"severity":"note"}]}]}`))
	f.Add([]byte(`{"schemaVersion":6,"stateCrc":"00000000","phases":[{"number":1,"checks":[{"a":1}],"startedAt":"2026-01-01"}],"gate":{"id":"g1"},"decisions":{"a":[]}}`))
	f.Add([]byte(`{"phases":["a",{"number":"1"},{"n":1},{"index":0}],"finalReview":[1],"currentPhase":1e99,"retryBudget":"3"}`))
	paths, _ := filepath.Glob(filepath.Join("testdata", "older", "*.json"))
	for _, path := range paths {
		if file, err := os.ReadFile(path); err == nil {
			f.Add(file)
		}
	}
	f.Fuzz(checkImport)
}

// strangers are values of every kind that JSON has.
var strangers = []any{
	nil, true, json.Number("5"), json.Number("-1"), json.Number("1e99"), json.Number("0.5"), "x", "", "2026-01-01", "EXECUTE", "high",
	[]any{},
	[]any{json.Number("1")},
	[]any{"x"},
	[]any{nil},
	[]any{map[string]any{"title": "x", "a": "b"}},
	map[string]any{},
	map[string]any{"a": []any{"b"}},
}

// every is how many of the strangers a place waits for the next one that it gets; 1 takes them all, in so many times as
// long. .ci/run takes more than a plain run.
func every() int {
	if os.Getenv("RESUME_FULL") == "1" {
		return 12
	}
	return 36
}

func TestAnyValueInAnyPlaceIsReadOrRefused(t *testing.T) {
	visited, every := 0, every()
	for name, file := range fixtures(t) {
		v, err := format.PlainJSON([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		doc := v.(map[string]any)
		ours := map[string]any{"schemaVersion": json.Number("7"), "stateCrc": "0"}
		for key, value := range doc {
			if ours[key] == nil {
				ours[key] = value
			}
		}
		for _, whole := range []map[string]any{doc, ours} {
			everyPlace(whole, func(place string, set func(any)) {
				visited++
				for i := visited % every; i < len(strangers); i += every {
					value := strangers[i]
					set(value)
					changed, err := format.Compact(whole)
					if err != nil {
						t.Fatal(err)
					}
					if checkImport(t, changed); t.Failed() {
						t.Fatalf("%s with %v at %s", name, value, place)
					}
				}
			})
		}
	}
}

// everyPlace visits each value of a document with a function that replaces it; afterwards it is as it was.
func everyPlace(v any, visit func(place string, set func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			old := v[key]
			visit("."+key, func(now any) { v[key] = now })
			v[key] = old
			everyPlace(old, func(place string, set func(any)) { visit("."+key+place, set) })
		}
	case []any:
		for i, old := range v {
			visit(fmt.Sprintf("[%d]", i), func(now any) { v[i] = now })
			v[i] = old
			everyPlace(old, func(place string, set func(any)) { visit(fmt.Sprintf("[%d]", i)+place, set) })
		}
	}
}
