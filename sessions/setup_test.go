package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/storage"
)

// noon is where the test clock begins; each look at it is a second later.
var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func clock() func() time.Time {
	t := noon
	return func() time.Time { t = t.Add(time.Second); return t }
}

var errRefused = errors.New("the core says no")

// tinyCore is a core for these tests: notes are kept, a task start moves, usage only counts.
func tinyCore(s machine.State, e machine.Event) (machine.State, error) {
	if e.Rev != s.Revision+1 {
		return s, &machine.StaleEventError{State: s.Revision, Event: e.Rev}
	}
	switch e.Type {
	case machine.Created, machine.Imported:
		s = *e.Initial
		s.SchemaVersion, s.Register = machine.SchemaVersion, machine.RegisterOf(s)
	case machine.Noted:
		s.Notes = append(slices.Clip(s.Notes), e.Detail)
	case machine.TaskStarted:
		s.CurrentTask = e.Task
		s.Notes = append(slices.Clip(s.Notes), e.Task)
	case machine.Used:
		s.Usage.Dispatches++
	case machine.GateRaised:
		s.Gate = &machine.Gate{ID: fmt.Sprintf("g%d", e.Rev), Kind: e.Kind, AskedAt: e.Time}
	case machine.Answered:
		s.Gate = nil
	default:
		return s, errRefused
	}
	s.Revision, s.UpdatedAt = e.Rev, e.Time
	return s, nil
}

func options() Options { return on(storage.OSDisk{}) }

func on(disk storage.Disk) Options { return Options{Now: clock(), Apply: tinyCore, Disk: disk} }

func first() machine.Event {
	return machine.Event{Type: machine.Created, Initial: &machine.State{
		SessionID: "s1", SessionSlug: "csv", SpecPath: "docs/csv.md", Step: machine.StepPick,
		Phases: []machine.Phase{{Number: "1", Name: "Parse"}, {Number: "2a", Name: "Write"}},
	}}
}

func task(name string) machine.Event { return machine.Event{Type: machine.TaskStarted, Task: name} }

// sessionDir is the folder of a session that does not exist yet.
func sessionDir(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), ".harness", "sessions", "csv")
}

func create(t *testing.T, dir string) *Session {
	t.Helper()
	s, err := Create(dir, first(), options())
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func open(t *testing.T, dir string) *Session {
	t.Helper()
	return openOn(t, dir, storage.OSDisk{})
}

func openOn(t *testing.T, dir string, disk storage.Disk) *Session {
	t.Helper()
	s, err := Open(dir, on(disk))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func apply(t *testing.T, s *Session, events ...machine.Event) {
	t.Helper()
	for _, e := range events {
		if _, err := s.Apply(e); err != nil {
			t.Fatalf("Apply(%s): %v", e.Type, err)
		}
	}
}

func closed(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
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

func write(t *testing.T, text string, parts ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(parts...), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, parts ...string) {
	t.Helper()
	if err := os.Remove(filepath.Join(parts...)); err != nil {
		t.Fatal(err)
	}
}

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func sameJSON(t *testing.T, what string, got, want any) {
	t.Helper()
	a, errA := format.Compact(got)
	b, errB := format.Compact(want)
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("%s\n got %s\nwant %s", what, a, b)
	}
}
