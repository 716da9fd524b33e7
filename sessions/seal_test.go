package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

func TestWhatADispatchDidToTheSessionIsPutBack(t *testing.T) {
	edit := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			write(t, strings.Replace(read(t, dir, name), "task-001", "task-666", 1), dir, name)
		}
	}
	for name, c := range map[string]struct {
		alter func(t *testing.T, dir string)
		want  []string
	}{
		"nothing":          {func(*testing.T, string) {}, nil},
		"journal edited":   {edit(JournalName), []string{JournalName}},
		"journal cut":      {func(t *testing.T, dir string) { write(t, "", dir, JournalName) }, []string{JournalName}},
		"journal removed":  {func(t *testing.T, dir string) { remove(t, dir, JournalName) }, []string{JournalName}},
		"snapshot edited":  {edit(SnapshotName), []string{SnapshotName}},
		"snapshot removed": {func(t *testing.T, dir string) { remove(t, dir, SnapshotName) }, []string{SnapshotName}},
		"folder removed": {func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, []string{JournalName, SnapshotName}},
		"both replaced": {func(t *testing.T, dir string) {
			for _, name := range []string{JournalName, SnapshotName} {
				remove(t, dir, name)
				write(t, "{}\n", dir, name)
			}
		}, []string{JournalName, SnapshotName}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := sessionDir(t)
			s := create(t, dir)
			apply(t, s, task("task-001"))
			if err := s.Mark(); err != nil {
				t.Fatal(err)
			}
			apply(t, s, machine.Event{Type: machine.Used})
			journal := read(t, dir, JournalName)
			c.alter(t, dir)
			got, err := s.Intact()
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("altered %q, want %q, error %v", got, c.want, err)
			}
			if read(t, dir, JournalName) != journal {
				t.Error("the journal is not what it was")
			}
			apply(t, s, task("task-002"))
			closed(t, s)
			again := open(t, dir)
			if again.State().Revision != 4 || again.State().CurrentTask != "task-002" || len(again.Repairs()) > 0 {
				t.Errorf("revision %d, task %s, repairs %q", again.State().Revision, again.State().CurrentTask, again.Repairs())
			}
		})
	}
}

func TestWithoutAMarkNothingIsCompared(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	if err := s.Mark(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := s.Intact(); len(got) > 0 || err != nil {
			t.Errorf("altered %q, error %v", got, err)
		}
		if err := os.Chtimes(filepath.Join(dir, JournalName), noon, noon); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhoeverKeepsTheSnapshotFromBeingWrittenIsNamed: an agent that puts something in its way, so that it is late, is found
// out all the same, and its snapshot does not become the backup.
func TestWhoeverKeepsTheSnapshotFromBeingWrittenIsNamed(t *testing.T) {
	for _, alters := range []bool{false, true} {
		dir := sessionDir(t)
		s := create(t, dir)
		apply(t, s, task("task-001"))
		if err := s.Mark(); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, SnapshotName+storage.TempSuffix, "in the way"), 0o755); err != nil {
			t.Fatal(err)
		}
		if alters {
			write(t, "{}\n", dir, SnapshotName)
		}
		apply(t, s, task("task-002"))
		if s.Late() == nil {
			t.Fatal("the snapshot could be written")
		}
		if altered, err := s.Intact(); !slices.Equal(altered, []string{SnapshotName}) || err != nil {
			t.Errorf("alters %v: altered %q, error %v", alters, altered, err)
		}
		for _, name := range []string{SnapshotName, backupName} {
			if state, err := decodeSnapshot(name, []byte(read(t, dir, name))); err != nil || state.Revision < 1 {
				t.Errorf("alters %v: %s: %v", alters, name, err)
			}
		}
		closed(t, s)
	}
}

// TestAnAlteredSnapshotIsFoundWhereTheDiskRefusedOne: an error of the disk is no cover for it.
func TestAnAlteredSnapshotIsFoundWhereTheDiskRefusedOne(t *testing.T) {
	for op := 4; op <= 7; op++ {
		dir, s, disk := onFaulty(t)
		if err := s.Mark(); err != nil {
			t.Fatal(err)
		}
		disk.At = disk.Ops + op
		apply(t, s, task("task-001"))
		write(t, "{}\n", dir, SnapshotName)
		if altered, err := s.Intact(); !slices.Equal(altered, []string{SnapshotName}) || err != nil {
			t.Errorf("operation %d: altered %q, error %v", op, altered, err)
		}
		closed(t, s)
		if again := open(t, dir); again.State().CurrentTask != "task-001" || len(again.Repairs()) > 0 {
			t.Errorf("operation %d: task %s, repairs %q", op, again.State().CurrentTask, again.Repairs())
		}
	}
}

// TestASnapshotThatTheDiskDoesNotReadIsNobodysDoing: it is told as what it is, and stays where it is.
func TestASnapshotThatTheDiskDoesNotReadIsNobodysDoing(t *testing.T) {
	dir, s, disk := onFaulty(t)
	apply(t, s, task("task-001"))
	if err := s.Mark(); err != nil {
		t.Fatal(err)
	}
	disk.Trace = nil
	disk.At = disk.Ops + 6
	altered, err := s.Intact()
	if len(altered) > 0 || !errors.Is(err, faulty.ErrFault) {
		t.Errorf("altered %q, error %v, after %q", altered, err, disk.Trace)
	}
	if _, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName))); err != nil {
		t.Error(err)
	}
}

// TestTheSnapshotOfAnEarlierRunIsNobodysDoing: what lay there when the session was opened may stay where the disk refuses
// the first new one.
func TestTheSnapshotOfAnEarlierRunIsNobodysDoing(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	closed(t, s)
	disk := &faulty.Disk{Disk: storage.OSDisk{}}
	s = openOn(t, dir, disk)
	if err := s.Mark(); err != nil {
		t.Fatal(err)
	}
	disk.At = disk.Ops + 4 // opening the temp file
	apply(t, s, task("task-001"))
	if altered, err := s.Intact(); len(altered) > 0 || err != nil {
		t.Errorf("altered %q, error %v", altered, err)
	}
	if s.Late() != nil {
		t.Errorf("it is still late: %v", s.Late())
	}
}

func TestALineThatTheProgramWroteOverIsNamed(t *testing.T) {
	dir := sessionDir(t)
	s := create(t, dir)
	if err := s.Mark(); err != nil {
		t.Fatal(err)
	}
	write(t, read(t, dir, JournalName)+"{}\n", dir, JournalName)
	apply(t, s, machine.Event{Type: machine.Used})
	if got, err := s.Intact(); !slices.Equal(got, []string{JournalName}) || err != nil {
		t.Errorf("altered %q, error %v", got, err)
	}
	closed(t, s)
	if again := open(t, dir); again.State().Revision != 2 || len(again.Repairs()) > 0 {
		t.Errorf("revision %d, repairs %q", again.State().Revision, again.Repairs())
	}
}
