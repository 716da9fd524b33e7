package sessions

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

// signedFile makes a document a valid snapshot file: indented, with its checksum.
func signedFile(t *testing.T, doc map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var s machine.State
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	file, err := format.Encode(s, format.UnknownIn(raw, format.StateType))
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

func document(t *testing.T, text string) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestUnknownKeysSurvive(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, machine.Event{Type: machine.GateRaised})
	closed(t, s)
	doc := document(t, read(t, dir, SnapshotName))
	doc["note"] = map[string]any{"a": "<1>", "b": []any{nil, true}}
	doc["usage"].(map[string]any)["coffee"] = 2
	doc["gate"].(map[string]any)["colour"] = "red"
	doc["phases"].([]any)[1].(map[string]any)["owner"] = "Ada"
	doc["decisions"] = []any{map[string]any{"decision": "yes", "mood": "good"}}
	doc["history"] = []any{map[string]any{"name": "one"}, map[string]any{"name": "two", "weather": "rain", "usage": map[string]any{"x": 1}}}
	write(t, signedFile(t, doc), dir, SnapshotName)

	s = open(t, dir)
	if len(s.Repairs()) > 0 {
		t.Fatalf("repairs %q", s.Repairs())
	}
	apply(t, s, machine.Event{Type: machine.Answered}, task("task-001"), machine.Event{Type: machine.GateRaised})
	got := document(t, read(t, dir, SnapshotName))
	sameJSON(t, "top", got["note"], doc["note"])
	for path, want := range map[string]any{
		"usage.coffee": 2, "phases.1.owner": "Ada", "phases.0.owner": nil, "decisions.0.mood": "good",
		"history.1.weather": "rain", "history.1.usage.x": 1, "history.0.weather": nil,
		"gate.colour": nil, // another gate has opened
	} {
		sameJSON(t, path, at(got, strings.Split(path, ".")), want)
	}
	closed(t, s)
	if again := open(t, dir); len(again.Repairs()) > 0 {
		t.Errorf("what was written is not taken: %q", again.Repairs())
	}
}

// at follows a path of keys and indices; nil where it ends.
func at(v any, path []string) any {
	for _, key := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			v = x[key[0]-'0']
		}
	}
	return v
}

func TestUnknownKeysOfAnImportedStateOutliveTheSnapshots(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	lines := strings.SplitAfter(files[JournalName], "\n")
	body := strings.Replace(lines[0], `"initial":{`, `"initial":{"runtimeNotes":["x"],`, 1)
	body = body[:strings.LastIndex(body, crcKey)]
	lines[0] = string(sign([]byte(body)))
	restore(t, dir, map[string]string{JournalName: strings.Join(lines, "")})
	open(t, dir)
	sameJSON(t, "runtimeNotes", document(t, read(t, dir, SnapshotName))["runtimeNotes"], []string{"x"})
}

func TestKeysKeepTheirOrder(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	s.unknown = format.UnknownIn([]byte(`{"zebra":1,"ape":2}`), format.StateType)
	apply(t, s, task("task-001"))
	keys := regexp.MustCompile(`(?m)^  "(\w+)":`).FindAllStringSubmatch(read(t, dir, SnapshotName), -1)
	for i, want := range map[int]string{0: "schemaVersion", 1: "stateCrc", 2: "revision", len(keys) - 2: "ape", len(keys) - 1: "zebra"} {
		if keys[i][1] != want {
			t.Errorf("key %d is %s, and not %s", i, keys[i][1], want)
		}
	}
}

// TestASnapshotOfThisProgramHasNothingUnknown: a false that the program wrote itself must not come back once it is taken away.
func TestASnapshotOfThisProgramHasNothingUnknown(t *testing.T) {
	state, no := *first().Initial, false
	state.Phases[0].Verification = &no
	file, err := format.Encode(state, nil)
	if err != nil {
		t.Fatal(err)
	}
	if k := format.UnknownBeside(state, file); k != nil {
		t.Errorf("unknown: %+v", k)
	}
}
