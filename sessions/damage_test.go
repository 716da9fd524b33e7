package sessions

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// damages are the ways in which a byte and what follows it go bad.
var damages = map[string]func(file []byte, at int) []byte{
	"cut":     func(file []byte, at int) []byte { return file[:at] },
	"flipped": func(file []byte, at int) []byte { file[at] ^= 1; return file },
	"zeroed": func(file []byte, at int) []byte {
		clear(file[at:])
		return file
	},
}

// lived is a session with three events and a backup, closed; its files are given by name.
func lived(t *testing.T, dir string) map[string]string {
	t.Helper()
	s := create(t, dir)
	apply(t, s, task("task-001"), task("task-002"))
	closed(t, s)
	files := map[string]string{}
	for _, name := range []string{JournalName, SnapshotName, backupName} {
		files[name] = read(t, dir, name)
	}
	return files
}

func restore(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for _, name := range names(t, dir) {
		if name != storage.LockName {
			remove(t, dir, name)
		}
	}
	for name, text := range files {
		write(t, text, dir, name)
	}
}

func TestDamagedSnapshotIsRebuilt(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	good := open(t, dir)
	want := withoutCRC(good.State())
	closed(t, good)
	for name, damage := range damages {
		for at := 0; at < len(files[SnapshotName]); at += 11 {
			bad := string(damage([]byte(files[SnapshotName]), at))
			if bad == files[SnapshotName] {
				continue
			}
			for _, backup := range []string{files[backupName], "{", ""} {
				checkRebuilt(t, dir, files, bad, backup, want)
				if t.Failed() {
					t.Fatalf("%s at %d, backup %.9q", name, at, backup)
				}
			}
		}
	}
}

func checkRebuilt(t *testing.T, dir string, files map[string]string, bad, backup string, want machine.State) {
	t.Helper()
	disk := newMemDisk()
	disk.put(dir, map[string]string{JournalName: files[JournalName], SnapshotName: bad, backupName: backup})
	if backup == "" {
		_ = disk.Remove(filepath.Join(dir, backupName))
	}
	s, err := Open(dir, on(disk))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sameJSON(t, "state", withoutCRC(s.State()), want)
	if len(s.Repairs()) == 0 {
		t.Error("it is not said")
	}
	if text := disk.get(t, SnapshotName); text != files[SnapshotName] {
		t.Errorf("the snapshot is %s", text)
	}
	aside := func(name string) bool { return strings.Contains(name, ".edited-") || strings.Contains(name, ".bad-") }
	if kept := slices.IndexFunc(disk.list(), aside); kept < 0 {
		t.Errorf("the bad copy is gone: %q", disk.list())
	}
}

func TestDamagedJournalIsRefusedBesideItsSnapshot(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	journal := files[JournalName]
	for name, damage := range damages {
		for at := 0; at < len(journal); at += 5 {
			bad := string(damage([]byte(journal), at))
			disk := newMemDisk()
			disk.put(dir, map[string]string{JournalName: bad, SnapshotName: files[SnapshotName]})
			if _, err := Open(dir, on(disk)); !isUnreadable(err) {
				t.Fatalf("%s at %d: %v", name, at, err)
			}
			if disk.get(t, JournalName) != bad || len(disk.list()) != 2 {
				t.Fatalf("%s at %d: refused, but changed", name, at)
			}
		}
	}
}

func TestDamagedJournalAloneIsRefusedOrLosesItsLastEntry(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	journal := files[JournalName]
	last := strings.LastIndexByte(journal[:len(journal)-1], '\n') + 1
	for name, damage := range damages {
		for at := 0; at < len(journal); at += 5 {
			bad := string(damage([]byte(journal), at))
			disk := newMemDisk()
			disk.put(dir, map[string]string{JournalName: bad})
			s, err := Open(dir, on(disk))
			switch {
			case err == nil:
				if at < last && name == "flipped" {
					t.Fatalf("%s at %d: taken", name, at)
				}
				if kept := disk.get(t, JournalName); !strings.HasPrefix(journal, kept) {
					t.Fatalf("%s at %d: the journal became %q", name, at, kept)
				}
				closed(t, s)
			case !isUnreadable(err) && !errors.Is(err, ErrNoSession):
				t.Fatalf("%s at %d: %v", name, at, err)
			}
		}
	}
}

func TestTornLastEntryIsCutAndSaid(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	write(t, files[JournalName]+`{"rev":4,"type":"task_st`, dir, JournalName)
	state, notes, err := Read(dir, options())
	if err != nil || state.Revision != 3 || len(notes) > 0 {
		t.Errorf("a reader sees revision %d, notes %q, error %v", state.Revision, notes, err)
	}
	s := open(t, dir)
	if s.State().Revision != 3 || len(s.Repairs()) != 1 || !strings.Contains(s.Repairs()[0], "cut off by a crash") {
		t.Errorf("revision %d, repairs %q", s.State().Revision, s.Repairs())
	}
	if read(t, dir, JournalName) != files[JournalName] {
		t.Error("the journal still has it")
	}
}

func TestOnlyAWrongVersionIsDamage(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	for _, version := range []string{"8", "5"} {
		write(t, strings.Replace(files[SnapshotName], `"schemaVersion": 7`, `"schemaVersion": `+version, 1), dir, SnapshotName)
		s := open(t, dir)
		if s.State().Revision != 3 || len(s.Repairs()) != 1 {
			t.Errorf("version %s: revision %d, repairs %q", version, s.State().Revision, s.Repairs())
		}
		closed(t, s)
	}
}

func TestEditedSnapshotIsKeptAndSaid(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	edited := strings.Replace(files[SnapshotName], "task-002", "task-007", 1)
	write(t, edited, dir, SnapshotName)
	state, notes, err := Read(dir, options())
	if err != nil || state.CurrentTask != "task-002" || len(notes) != 1 {
		t.Errorf("a reader sees task %s, notes %q, error %v", state.CurrentTask, notes, err)
	}
	if read(t, dir, SnapshotName) != edited {
		t.Error("the reader wrote")
	}
	s := open(t, dir)
	want := SnapshotName + ".edited-20250304T120002Z"
	if s.State().CurrentTask != "task-002" || read(t, dir, want) != edited || !strings.Contains(s.Repairs()[0], want) {
		t.Errorf("task %s, repairs %q, files %q", s.State().CurrentTask, s.Repairs(), names(t, dir))
	}
}

func TestFilesOfNewerProgramsAreRefusedByName(t *testing.T) {
	newer := "{\"schemaVersion\": 8, \"stateCrc\": \"x\"}"
	for name, c := range map[string]struct {
		files map[string]string
		check func(error) bool
	}{
		"newer":        {map[string]string{SnapshotName: newer, JournalName: ""}, isNewer(8)},
		"newer backup": {map[string]string{SnapshotName: "{", backupName: newer}, isNewer(8)},
	} {
		dir := sessionDir(t)
		lived(t, dir)
		restore(t, dir, c.files)
		before := names(t, dir)
		_, err := Open(dir, options())
		if !c.check(err) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := Read(dir, options()); !c.check(err) {
			t.Errorf("%s, read: %v", name, err)
		}
		if after := names(t, dir); strings.Join(after, " ") != strings.Join(before, " ") {
			t.Errorf("%s: files %q, before %q", name, after, before)
		}
	}
}

func isNewer(version int) func(error) bool {
	return func(err error) bool {
		var e *NewerError
		return errors.As(err, &e) && e.Version == version && strings.Contains(e.Error(), "update autopilot")
	}
}

func isUnreadable(err error) bool {
	var e *UnreadableError
	return errors.As(err, &e)
}

func TestEventThatTheCoreRefusesStopsTheReplay(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	strange := string(line(t, machine.Event{Rev: 4, Type: "from_tomorrow", Time: noon}))
	write(t, files[JournalName]+strange, dir, JournalName)
	_, err := Open(dir, options())
	var bad *UnreadableError
	if !errors.As(err, &bad) || bad.Offset != int64(len(files[JournalName])) || !errors.Is(err, errRefused) {
		t.Errorf("error %v", err)
	}
}

func TestReadErrorsAreNotTakenForAMissingFile(t *testing.T) {
	dir := sessionDir(t)
	closed(t, create(t, dir))
	for at := 1; at < 12; at++ {
		if _, _, err := Read(dir, on(&faulty.Disk{Disk: storage.OSDisk{}, At: at})); err != nil && !errors.Is(err, faulty.ErrFault) {
			t.Errorf("at operation %d: %v", at, err)
		}
	}
	if got := names(t, filepath.Dir(dir)); len(got) != 1 {
		t.Errorf("files %q", got)
	}
}
