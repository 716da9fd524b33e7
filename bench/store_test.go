package bench

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

var onTime = sessions.Options{Now: time.Now}

// BenchmarkTransition records one event with a state of 50 KB, beside the writes and waits for the disk that it consists
// of.
func BenchmarkTransition(b *testing.B) {
	repo := b.TempDir()
	first := halfway(20)
	first.Tasks = pending(145)
	s, err := sessions.Create(sessionIn(repo), machine.Event{Type: machine.Created, Initial: &first}, onTime)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	snapshot, err := os.ReadFile(filepath.Join(sessionIn(repo), "autopilot-state.json"))
	if err != nil {
		b.Fatal(err)
	}
	bare := newBareStore(b, snapshot)
	pair{
		ours: taking(b, func() error {
			_, err := s.Apply(machine.Event{Type: machine.RunStarted})
			return err
		}),
		theirs: taking(b, bare.transition),
	}.compare(b, 101, 1.5)
	b.ReportMetric(float64(len(snapshot)), "state-B")
}

// bareStore does to two files what the store does to its own, and nothing else.
type bareStore struct {
	dir      string
	journal  *os.File
	snapshot []byte
}

func newBareStore(b *testing.B, snapshot []byte) bareStore {
	b.Helper()
	dir := b.TempDir()
	journal, err := os.Create(filepath.Join(dir, "journal"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { journal.Close() })
	put(b, filepath.Join(dir, "snapshot"), string(snapshot))
	return bareStore{dir, journal, snapshot}
}

func (s bareStore) transition() error {
	if _, err := s.journal.Write(s.snapshot[:150]); err != nil {
		return err
	}
	if err := s.journal.Sync(); err != nil {
		return err
	}
	snapshot, backup := filepath.Join(s.dir, "snapshot"), filepath.Join(s.dir, "backup")
	if err := synced(snapshot+".tmp", s.snapshot); err != nil {
		return err
	}
	if err := os.Link(snapshot, backup+".tmp"); err != nil {
		return err
	}
	if err := os.Rename(backup+".tmp", backup); err != nil {
		return err
	}
	if err := os.Rename(snapshot+".tmp", snapshot); err != nil {
		return err
	}
	folder, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

func synced(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// BenchmarkResume takes up a session whose journal has 50,000 events, beside the reading of that journal: at once into
// memory, and in parts that are thrown away, which is the least that it can take.
func BenchmarkResume(b *testing.B) {
	repo := b.TempDir()
	newSession(b, repo, halfway(20), 50_000)
	journal := filepath.Join(sessionIn(repo), "events.jsonl")
	resumed := taking(b, func() error {
		s, err := sessions.Open(sessionIn(repo), onTime)
		if err != nil {
			return err
		}
		return s.Close()
	})
	b.Run("whole", func(b *testing.B) {
		pair{ours: resumed, theirs: taking(b, func() error {
			_, err := os.ReadFile(journal)
			return err
		})}.compare(b, 41, 3)
	})
	b.Run("parts", func(b *testing.B) {
		pair{ours: resumed, theirs: taking(b, func() error { return thrownAway(journal) })}.compare(b, 41, 3)
	})
}

func thrownAway(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 256<<10))
	return err
}
