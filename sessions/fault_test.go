package sessions

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// life is what a process does with a session in the sweep: it begins or takes it up, and records events until one
// fails. acked are the tasks whose event was acknowledged.
func life(t *testing.T, dir string, disk *faulty.Disk, names []string) (acked []string, tried string) {
	t.Helper()
	opts := on(disk)
	s, err := Open(dir, opts)
	if errors.Is(err, ErrNoSession) {
		s, err = Create(dir, first(), opts)
	}
	if err != nil {
		return nil, ""
	}
	defer s.Close()
	for _, name := range names {
		_, err := s.Apply(task(name))
		if disk.LostSync && err == nil {
			t.Errorf("an event was acknowledged after a failed sync")
		}
		if err != nil {
			return acked, name
		}
		acked = append(acked, name)
	}
	return acked, ""
}

var (
	earlier = []string{"a1", "a2"}
	later   = []string{"b1", "b2", "b3"}
)

// scene makes the disk that a sweep's process finds, with the events in it.
type scene struct {
	name  string
	build func(t *testing.T, dir string) *memDisk
	had   []string
}

func scenes() []scene {
	lived := func(t *testing.T, dir string) *memDisk {
		disk := newMemDisk()
		life(t, dir, &faulty.Disk{Disk: disk}, earlier)
		return disk
	}
	return []scene{
		{"a new session", func(*testing.T, string) *memDisk { return newMemDisk() }, nil},
		{"a session", lived, earlier},
		{"a torn journal and an edited snapshot", func(t *testing.T, dir string) *memDisk {
			disk := lived(t, dir)
			disk.put(dir, map[string]string{
				JournalName:                       disk.get(t, JournalName) + `{"rev":4,"ty`,
				SnapshotName:                      strings.Replace(disk.get(t, SnapshotName), "csv", "cvs", 1),
				SnapshotName + storage.TempSuffix: "half",
			})
			return disk
		}, earlier},
	}
}

// sweep lets a process live on each scene, with a fault at each operation in turn, and checks what it left.
func sweep(t *testing.T, kinds []faulty.Fault, check func(t *testing.T, dir string, disk *memDisk, acked []string, tried string)) {
	t.Helper()
	for _, sc := range scenes() {
		for _, kind := range kinds {
			t.Run(fmt.Sprintf("%s %d", sc.name, kind), func(t *testing.T) {
				dir := sessionDir(t)
				for at := 1; ; at++ {
					disk := sc.build(t, dir)
					broken := &faulty.Disk{Disk: disk, At: at, Kind: kind}
					acked, tried := life(t, dir, broken, later)
					check(t, dir, disk, slices.Concat(sc.had, acked), tried)
					if t.Failed() {
						t.Fatalf("at operation %d (%s)", at, broken.Trace[min(at, len(broken.Trace))-1])
					}
					if broken.Ops < at {
						break
					}
				}
			})
		}
	}
}

func TestNothingIsLostWhateverOperationFails(t *testing.T) {
	sweep(t, []faulty.Fault{faulty.Fail, faulty.Short, faulty.Stop, faulty.Tear}, checkRecovered)
}

func TestNothingIsLostInAPowerCut(t *testing.T) {
	sweep(t, []faulty.Fault{faulty.Tear}, func(t *testing.T, dir string, disk *memDisk, acked []string, tried string) {
		for _, left := range disk.powerCuts() {
			checkRecovered(t, dir, left, acked, tried)
		}
	})
}

// checkRecovered opens what a fault left: every acknowledged event is there, at most the tried one besides, and the
// session goes on as if nothing had been.
func checkRecovered(t *testing.T, dir string, disk *memDisk, acked []string, tried string) {
	t.Helper()
	s, err := Open(dir, on(disk))
	if errors.Is(err, ErrNoSession) && len(acked) == 0 {
		return
	}
	if err != nil {
		t.Errorf("Open afterwards: %v", err)
		return
	}
	defer s.Close()
	got := s.State().Notes
	if !slices.Equal(got, acked) && !slices.Equal(got, append(slices.Clone(acked), tried)) {
		t.Errorf("recovered %v, acknowledged %v, tried %q", got, acked, tried)
	}
	for _, name := range disk.list() {
		if strings.HasSuffix(name, storage.TempSuffix) {
			t.Errorf("%s is left over", name)
		}
	}
	apply(t, s, task("last"))
	again, _, err := Read(dir, on(disk))
	if err != nil || !slices.Equal(again.Notes, append(slices.Clone(got), "last")) {
		t.Errorf("read afterwards %v, error %v", again.Notes, err)
	}
	snapshot, err := decodeSnapshot(SnapshotName, []byte(disk.get(t, SnapshotName)))
	if err != nil || snapshot.Revision != again.Revision {
		t.Errorf("the snapshot: revision %d, error %v", snapshot.Revision, err)
	}
}

// onFaulty is a session on a disk that can be told to fail.
func onFaulty(t *testing.T) (string, *Session, *faulty.Disk) {
	t.Helper()
	dir, disk := sessionDir(t), &faulty.Disk{Disk: storage.OSDisk{}}
	s, err := Create(dir, first(), on(disk))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return dir, s, disk
}

func TestEventIsOnTheDiskBeforeTheSnapshotBegins(t *testing.T) {
	_, s, disk := onFaulty(t)
	disk.Trace = nil
	apply(t, s, task("task-001"))
	want := []string{
		"write events.jsonl", "sync events.jsonl",
		"remove autopilot-state.json.tmp", "open autopilot-state.json.tmp", "write autopilot-state.json.tmp",
		"sync autopilot-state.json.tmp", "close autopilot-state.json.tmp",
		"remove autopilot-state.json.bak.tmp", "link autopilot-state.json.bak.tmp", "rename autopilot-state.json.bak",
		"remove autopilot-state.json.bak.tmp", "rename autopilot-state.json", "syncfolder csv",
	}
	if !slices.Equal(disk.Trace, want) {
		t.Errorf("operations\n got %q\nwant %q", disk.Trace, want)
	}
}

func TestTheFoldersOfAFirstSessionAreOnTheDiskBeforeItsFirstEvent(t *testing.T) {
	dir, _, disk := onFaulty(t)
	before := disk.Trace[:slices.Index(disk.Trace, "write events.jsonl")]
	for folder, n := dir, 0; n < 4; folder, n = filepath.Dir(folder), n+1 { // up to the repository
		if !slices.Contains(before, "syncfolder "+filepath.Base(folder)) {
			t.Errorf("%s was not synced: %q", folder, before)
		}
	}
}

func TestAfterAFailedSyncTheSessionTakesNoMoreEvents(t *testing.T) {
	dir, s, disk := onFaulty(t)
	disk.At = disk.Ops + 2 // the write, then the sync
	var lost *JournalError
	if _, err := s.Apply(task("task-001")); !errors.As(err, &lost) || !errors.Is(err, faulty.ErrFault) {
		t.Fatalf("error %v", err)
	}
	tries := disk.Ops
	state, err := s.Apply(task("task-002"))
	if !errors.As(err, &lost) || state.Revision != 1 {
		t.Errorf("the next event: revision %d, error %v", state.Revision, err)
	}
	if disk.Ops != tries {
		t.Error("the disk was asked again")
	}
	closed(t, s)
	if got := open(t, dir).State().CurrentTask; got != "task-001" {
		t.Errorf("the disk had the event, but the state is at task %q", got)
	}
}

func TestALateSnapshotIsHealedByTheNextEvent(t *testing.T) {
	dir, s, disk := onFaulty(t)
	disk.At = disk.Ops + 4 // opening the temp file
	apply(t, s, task("task-001"))
	if !errors.Is(s.Late(), faulty.ErrFault) {
		t.Errorf("late: %v", s.Late())
	}
	apply(t, s, machine.Event{Type: machine.Used})
	snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
	if s.Late() != nil || err != nil || snapshot.Revision != 3 {
		t.Errorf("late %v, snapshot at revision %d, error %v", s.Late(), snapshot.Revision, err)
	}
}

func TestALateSnapshotIsNobodysDoing(t *testing.T) {
	dir, s, disk := onFaulty(t)
	disk.At = disk.Ops + 4 // opening the temp file
	apply(t, s, task("task-001"))
	if err := s.Mark(); err != nil {
		t.Fatal(err)
	}
	if altered, err := s.Intact(); len(altered) > 0 || err != nil {
		t.Errorf("altered %q, error %v", altered, err)
	}
	snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
	if err != nil || snapshot.Revision != 2 {
		t.Errorf("snapshot at revision %d, error %v", snapshot.Revision, err)
	}
}

func TestAFailedWriteLeavesNothingBehind(t *testing.T) {
	dir := sessionDir(t)
	disk := &faulty.Disk{Disk: newMemDisk(), Kind: faulty.Short}
	s, err := Create(dir, first(), on(disk))
	if err != nil {
		t.Fatal(err)
	}
	disk.At = disk.Ops + 1
	if state, err := s.Apply(task(strings.Repeat("long", 100))); !errors.Is(err, faulty.ErrFault) || state.Revision != 1 {
		t.Errorf("revision %d, error %v", state.Revision, err)
	}
	apply(t, s, task("short"))
	closed(t, s)
	again := openOn(t, dir, disk)
	if got := again.State().Notes; !slices.Equal(got, []string{"short"}) || len(again.Repairs()) > 0 {
		t.Errorf("notes %q, repairs %q", got, again.Repairs())
	}
}

func TestAWriteThatCannotBeTakenBackEndsTheSession(t *testing.T) {
	dir := sessionDir(t)
	disk := &stuckDisk{Disk: newMemDisk()}
	s, err := Create(dir, first(), on(disk))
	if err != nil {
		t.Fatal(err)
	}
	disk.stuck = true
	var lost *JournalError
	for range 2 {
		if _, err := s.Apply(task("a")); !errors.As(err, &lost) || !strings.Contains(lost.Error(), "run the same command to resume") {
			t.Errorf("error %v", err)
		}
	}
	closed(t, s)
	disk.stuck = false
	if again := openOn(t, dir, disk); again.State().Revision != 1 || len(again.Repairs()) != 1 {
		t.Errorf("revision %d, repairs %q", again.State().Revision, again.Repairs())
	}
}

func TestWithoutHardLinksTheBackupIsACopy(t *testing.T) {
	dir := sessionDir(t)
	disk := newMemDisk()
	s, err := Create(dir, first(), on(noLinks{disk}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := disk.get(t, SnapshotName)
	apply(t, s, task("a"))
	if s.Late() != nil || disk.get(t, backupName) != before || slices.Contains(disk.list(), backupName+storage.TempSuffix) {
		t.Errorf("late %v, files %q", s.Late(), disk.list())
	}
}
