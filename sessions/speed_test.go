package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/sessions/storage"
)

// large is a state of about 50 KB.
func large() machine.Event {
	e := first()
	for i := range 170 {
		e.Initial.Tasks = append(e.Initial.Tasks, machine.Task{
			ID: fmt.Sprintf("task-%03d", i), Title: strings.Repeat("a title ", 8), Status: machine.TaskPending, Validation: "go test ./...",
		})
	}
	return e
}

func folder(b *testing.B) string { return filepath.Join(b.TempDir(), ".harness", "sessions", "csv") }

func BenchmarkTransition(b *testing.B) {
	dir := folder(b)
	opts := on(storage.OSDisk{})
	opts.Apply = transition.Apply
	s, err := Create(dir, large(), opts)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		if _, err := s.Apply(machine.Event{Type: machine.RunStarted}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	file, _ := os.ReadFile(filepath.Join(dir, SnapshotName))
	b.ReportMetric(float64(len(file)), "bytes/snapshot")
}

// BenchmarkBareTransition is the same sequence of file operations and nothing else: the anchor.
func BenchmarkBareTransition(b *testing.B) {
	dir := b.TempDir()
	file := make([]byte, 50_000)
	j, err := openJournal(storage.OSDisk{}, filepath.Join(dir, JournalName), 0)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := j.append(file[:200]); err != nil {
			b.Fatal(err)
		}
		if err := writeSnapshot(storage.OSDisk{}, dir, file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkResume opens a session with 50,000 events behind its snapshot; the anchor is BenchmarkReadJournal.
func BenchmarkResume(b *testing.B) {
	dir := longSession(b)
	for b.Loop() {
		s, err := Open(dir, on(storage.OSDisk{}))
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}

func BenchmarkReadJournal(b *testing.B) {
	dir := longSession(b)
	for b.Loop() {
		if _, err := os.ReadFile(filepath.Join(dir, JournalName)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReader(b *testing.B) {
	dir := longSession(b)
	for b.Loop() {
		if _, _, err := Read(dir, on(storage.OSDisk{})); err != nil {
			b.Fatal(err)
		}
	}
}

func longSession(b *testing.B) string {
	b.Helper()
	dir := folder(b)
	s, err := Create(dir, first(), on(storage.OSDisk{}))
	if err != nil {
		b.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(dir, JournalName))
	if err != nil {
		b.Fatal(err)
	}
	for rev := int64(2); rev <= 50_000; rev++ {
		journal = append(journal, line(b, machine.Event{Rev: rev, Type: machine.Used, Time: noon, Detail: strings.Repeat("x", 200)})...)
	}
	if err := os.WriteFile(filepath.Join(dir, JournalName), journal, 0o644); err != nil {
		b.Fatal(err)
	}
	_ = s.Close()
	if s, err = Open(dir, on(storage.OSDisk{})); err != nil {
		b.Fatal(err)
	}
	_ = s.Close()
	return dir
}
