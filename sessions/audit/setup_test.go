package audit

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

// clock is a second later each time.
func clock() func() time.Time {
	t := time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)
	return func() time.Time { t = t.Add(time.Second); return t }
}

// lenientCore takes every event; a commit completes task-001.
func lenientCore(s machine.State, e machine.Event) (machine.State, error) {
	switch e.Type {
	case machine.Created:
		s = *e.Initial
		s.SchemaVersion = machine.SchemaVersion
	case machine.EffectDone:
		s.Tasks = []machine.Task{{ID: "task-001", Title: "Greet", Status: machine.TaskCompleted, Commit: e.Commit}}
	}
	s.Revision, s.UpdatedAt = e.Rev, e.Time
	return s, nil
}

func apply(t *testing.T, s *sessions.Session, events ...machine.Event) {
	t.Helper()
	for _, e := range events {
		if _, err := s.Apply(e); err != nil {
			t.Fatalf("Apply(%s): %v", e.Type, err)
		}
	}
}

func closed(t *testing.T, s *sessions.Session) {
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
