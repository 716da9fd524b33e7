package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

func TestReadersBesideAWriterSeeEachStateWhole(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			last := int64(0)
			for {
				state, _, err := Read(dir, Options{Apply: tinyCore})
				if err != nil || state.Revision < last || int64(len(state.Notes)) != state.Revision-1 {
					t.Errorf("after revision %d: revision %d with %d notes, error %v", last, state.Revision, len(state.Notes), err)
					return
				}
				last = state.Revision
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 200 {
		apply(t, s, task(fmt.Sprintf("task-%03d", i%3)))
	}
	close(done)
	readers.Wait()
}

func TestReaderTakesOnlyTheEndOfALongJournal(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("task-001"))
	before := read(t, dir, SnapshotName)
	long := strings.Repeat("x", 3000)
	for range 60 { // 180 KB behind the snapshot, so that one chunk is not enough
		apply(t, s, machine.Event{Type: machine.Noted, Detail: long})
	}
	apply(t, s, machine.Event{Type: machine.Used})
	if read(t, dir, SnapshotName) != before {
		t.Fatal("the snapshot moved on; the test shows nothing")
	}
	state, _, err := Read(dir, options())
	if err != nil || state.Revision != 63 || len(state.Notes) != 61 {
		t.Errorf("revision %d, %d notes, error %v", state.Revision, len(state.Notes), err)
	}
	lines := 0
	found, err := scanFile(storage.OSDisk{}, filepath.Join(dir, JournalName), state.Revision, true, func(int64, int64, []byte) error { lines++; return nil })
	if err != nil || found.last != 63 || lines == 0 || lines > 25 {
		t.Errorf("%d lines up to revision %d, error %v", lines, found.last, err)
	}
	apply(t, s, task("task-002"))
	if state, _, err = Read(dir, options()); err != nil || state.Revision != 64 {
		t.Errorf("revision %d, error %v", state.Revision, err)
	}
}

func TestSessionsAreListedWithWhatIsWrong(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	root := filepath.Dir(dir)
	closed(t, create(t, filepath.Join(root, "broken")))
	write(t, "x\n"+read(t, root, "broken", JournalName), root, "broken", JournalName)
	for _, name := range []string{"empty", "older"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, `{"schemaVersion":2,"phases":[{"name":"Parse"}]}`, root, "older", SnapshotName)
	write(t, "a note", root, "README")
	all, err := List(filepath.Dir(root), options())
	if err != nil || len(all) != 3 {
		t.Fatalf("list %+v, error %v", all, err)
	}
	if all[0].Slug != "broken" || !isUnreadable(all[0].Err) {
		t.Errorf("first %+v", all[0])
	}
	if all[1].Dir != dir || all[1].Err != nil || all[1].State.SessionID != "s1" {
		t.Errorf("second %+v", all[1])
	}
	if all[2].Slug != "older" || all[2].Err != nil || all[2].State.Phases[0].Name != "Parse" {
		t.Errorf("third %+v", all[2])
	}
	if none, err := List(t.TempDir(), options()); err != nil || len(none) > 0 {
		t.Errorf("without sessions: %v, error %v", none, err)
	}
}

func TestArchiveMovesTheWholeSession(t *testing.T) {
	dir := sessionDir(t)
	archive := filepath.Join(filepath.Dir(filepath.Dir(dir)), "archive", "sessions")
	for _, want := range []string{"csv-2025-03-04", "csv-2025-03-04-2", "csv-2025-03-04-3"} {
		s := create(t, dir)
		apply(t, s, task("task-001"))
		closed(t, s)
		to, err := Archive(dir, archive, clock())
		if err != nil || to != filepath.Join(archive, want) {
			t.Fatalf("archived as %s, error %v", to, err)
		}
		if state, _, err := Read(to, options()); err != nil || state.Revision != 2 {
			t.Errorf("the archived session: revision %d, error %v", state.Revision, err)
		}
		if _, err := os.Lstat(dir); !os.IsNotExist(err) {
			t.Errorf("the session is still there: %v", err)
		}
	}
}

func TestAnEntryLongerThanTheBufferIsWhole(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	long := strings.Repeat("x", 2*scanBuffer)
	apply(t, s, machine.Event{Type: machine.Noted, Detail: long}, machine.Event{Type: machine.Noted, Detail: "b"})
	for _, see := range []func() (machine.State, []string, error){
		func() (machine.State, []string, error) { return Read(dir, options()) },
		func() (machine.State, []string, error) { closed(t, s); return open(t, dir).State(), nil, nil },
	} {
		state, _, err := see()
		if err != nil || len(state.Notes) != 2 || state.Notes[0] != long {
			t.Errorf("%d notes, error %v", len(state.Notes), err)
		}
	}
}
