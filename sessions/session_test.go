package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

func TestSessionIsTheSameAfterItWasClosed(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("task-001"), machine.Event{Type: machine.Used, Usage: &machine.Usage{}}, task("task-002"))
	before := s.State()
	closed(t, s)
	again := open(t, dir)
	sameJSON(t, "state", withoutCRC(again.State()), withoutCRC(before))
	if len(again.Repairs()) > 0 || again.Dir() != dir {
		t.Errorf("repairs %q in %s", again.Repairs(), again.Dir())
	}
}

func withoutCRC(s machine.State) machine.State {
	s.StateCRC = ""
	return s
}

func TestTheRealCoreIsTheDefault(t *testing.T) {
	dir := sessionDir(t)
	s, err := Create(dir, first(), Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	apply(t, s, machine.Event{Type: machine.RunStarted})
	if s.State().Runs != 1 || s.State().Revision != 2 {
		t.Errorf("runs %d at revision %d", s.State().Runs, s.State().Revision)
	}
	again, _, err := Read(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, "read beside the writer", withoutCRC(again), withoutCRC(s.State()))
}

func TestRefusedEventLeavesEverythingAsItWas(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	journal, snapshot := read(t, dir, JournalName), read(t, dir, SnapshotName)
	for name, e := range map[string]machine.Event{
		"by the core": {Type: "nonsense"},
		"doubled":     {Type: machine.Noted, Rev: 1},
		"not JSON":    {Type: machine.Noted, Extra: map[string]any{"f": func() {}}},
	} {
		state, err := s.Apply(e)
		if err == nil || state.Revision != 1 {
			t.Errorf("%s: revision %d, error %v", name, state.Revision, err)
		}
	}
	if read(t, dir, JournalName) != journal || read(t, dir, SnapshotName) != snapshot {
		t.Error("the files changed")
	}
	apply(t, s, task("task-001"))
	if s.State().Revision != 2 {
		t.Errorf("revision %d after the next event", s.State().Revision)
	}
}

func TestTimeNeverGoesBack(t *testing.T) {
	s := create(t, sessionDir(t))
	apply(t, s, machine.Event{Type: machine.Noted, Time: noon.Add(time.Hour)}, machine.Event{Type: machine.Noted})
	if got := s.State().UpdatedAt; !got.Equal(noon.Add(time.Hour + time.Second)) { // a second passed
		t.Errorf("time %s", got)
	}
}

func TestTimeInWhichTheMachineSleptIsToldApart(t *testing.T) {
	for _, c := range []struct {
		wall, ran time.Duration
		want      float64
	}{
		{8 * time.Hour, time.Minute, 28740},
		{time.Minute, time.Minute, 0},
		{time.Minute + 900*time.Millisecond, time.Minute, 0},
		{-24 * time.Hour, time.Minute, 0}, // set back
	} {
		if got := slept(c.wall, c.ran); got != c.want {
			t.Errorf("%s on the wall, %s of running: slept %g seconds, want %g", c.wall, c.ran, got, c.want)
		}
	}
}

func TestTimeBetweenTwoProcessesIsNobodys(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	opts := options()
	now := noon.Add(8 * time.Hour)
	opts.Now = func() time.Time { now = now.Add(time.Minute); return now }
	s, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, machine.Event{Type: machine.Noted}, machine.Event{Type: machine.Noted})
	closed(t, s)
	lines := strings.Split(read(t, dir, JournalName), "\n")
	if !strings.Contains(lines[1], `"slept":289`) || strings.Contains(lines[2], "slept") {
		t.Errorf("the journal of the second process:\n%s\n%s", lines[1], lines[2])
	}
}

func TestSnapshotWaitsForUsageButNotForSteps(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	revision := func() int64 {
		state, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
		if err != nil {
			t.Fatal(err)
		}
		return state.Revision
	}
	for range snapshotEvery - 1 {
		apply(t, s, machine.Event{Type: machine.Used})
	}
	if revision() != 1 {
		t.Errorf("a snapshot at revision %d for usage alone", revision())
	}
	apply(t, s, machine.Event{Type: machine.Used})
	if revision() != 1+snapshotEvery {
		t.Errorf("no snapshot after %d events: revision %d", snapshotEvery, revision())
	}
	for _, e := range []machine.Event{task("task-001"), {Type: machine.GateRaised}, {Type: machine.Answered}} {
		apply(t, s, e)
		if revision() != s.State().Revision {
			t.Errorf("no snapshot after %s", e.Type)
		}
	}
	apply(t, s, machine.Event{Type: machine.Used})
	closed(t, s)
	if revision() != s.State().Revision {
		t.Error("Close left the snapshot behind")
	}
}

func TestCreateRefusesARecordedSession(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	if _, err := Create(dir, first(), options()); !errors.Is(err, ErrSessionExists) {
		t.Errorf("error %v", err)
	}
	closed(t, open(t, dir)) // and the lock is free again
}

func TestCreateTakesOverWhatAKilledCreateLeft(t *testing.T) {
	for name, left := range map[string]string{"nothing": "", "half a line": `{"rev":1,"type":"cre`} {
		dir := sessionDir(t)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, left, dir, JournalName)
		if _, err := Open(dir, options()); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s: Open says %v", name, err)
		}
		closed(t, create(t, dir))
		if got := open(t, dir).State().Revision; got != 1 {
			t.Errorf("%s: revision %d", name, got)
		}
	}
}

func TestCreateRefusesAFirstEventThatTheCoreRefuses(t *testing.T) {
	dir := sessionDir(t)
	if _, err := Create(dir, machine.Event{Type: "nonsense"}, options()); !errors.Is(err, errRefused) {
		t.Errorf("error %v", err)
	}
	if _, err := Open(dir, options()); !errors.Is(err, ErrNoSession) {
		t.Errorf("afterwards Open says %v", err)
	}
}

func TestNoSessionIsSaid(t *testing.T) {
	dir := sessionDir(t)
	if _, err := Open(dir, options()); !errors.Is(err, ErrNoSession) {
		t.Errorf("Open: %v", err)
	}
	if _, _, err := Read(dir, options()); !errors.Is(err, ErrNoSession) {
		t.Errorf("Read: %v", err)
	}
	if len(names(t, filepath.Dir(dir))) > 0 {
		t.Error("looking made a folder")
	}
}

func TestAWriterNeedsAClock(t *testing.T) {
	if _, err := Create(sessionDir(t), first(), Options{}); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Errorf("error %v", err)
	}
}

func TestAClosedSessionTakesNoEvents(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	closed(t, s)
	if _, err := s.Apply(task("task-001")); err == nil {
		t.Error("taken")
	}
	closed(t, s)
}

func TestLinksInTheSessionAreRefused(t *testing.T) {
	for _, what := range []string{SnapshotName, backupName, JournalName, storage.LockName, "."} {
		dir := sessionDir(t)
		closed(t, create(t, dir))
		path := filepath.Join(dir, what)
		if err := os.Rename(path, dir+"-elsewhere"); err != nil && what != backupName {
			t.Fatal(err)
		}
		if err := os.Symlink(dir+"-elsewhere", path); err != nil {
			t.Skip("no symbolic links here")
		}
		var link *plainfile.LinkError
		if _, err := Open(dir, options()); !errors.As(err, &link) {
			t.Errorf("Open with %s as a link: %v", what, err)
		}
		if _, _, err := Read(dir, options()); !errors.As(err, &link) {
			t.Errorf("Read with %s as a link: %v", what, err)
		}
	}
}

func TestSnapshotIsForPeople(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("a < b & c"))
	text := read(t, dir, SnapshotName)
	if !strings.HasPrefix(text, "{\n  \"schemaVersion\": 7,\n  \"stateCrc\": \"") || !strings.Contains(text, "a < b & c") {
		t.Errorf("it begins %.80q", text)
	}
	if read(t, dir, backupName) == text {
		t.Error("the backup is not the snapshot before")
	}
}

func TestCloseWritesTheSnapshotThatLags(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("a"), machine.Event{Type: machine.Used}) // none is due for what only counts
	closed(t, s)
	snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
	if err != nil || snapshot.Revision != 3 {
		t.Errorf("the snapshot is at revision %d, error %v", snapshot.Revision, err)
	}
}

func TestAnImportedSessionHasItsSnapshotWhenItIsOpen(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	apply(t, s, task("a"), task("b"))
	closed(t, s)
	remove(t, dir, JournalName) // what is left is imported, and begins to count anew
	again := open(t, dir)
	defer again.Close()
	snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
	if err != nil || snapshot.Revision != again.State().Revision {
		t.Errorf("the snapshot is at revision %d, the session at %d, error %v", snapshot.Revision, again.State().Revision, err)
	}
}
