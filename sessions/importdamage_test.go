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
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

const small = `{"schemaVersion":2,"specPath":"docs/csv.md","currentState":"PLAN","currentPhase":0,"phases":[{"name":"A","status":"pending"}],"note":"x"}`

func TestOlderFileThatCannotBeReadIsMovedAsideAndNeverForgotten(t *testing.T) {
	for name, bad := range map[string]string{
		"empty": "", "cut": small[:40], "zeroed": strings.Repeat("\x00", 80), "no JSON": "hello", "a list": "[]", "null": "null",
		"two documents": small + small, "nothing of a session": `{"name":"left-pad","version":"1.0.0"}`, "no phases": `{"schemaVersion":2,"currentState":"PLAN","phases":[]}`,
	} {
		dir := olderSession(t, bad)
		if _, _, err := Read(dir, realOptions()); !isUnreadable(err) || len(names(t, dir)) != 1 {
			t.Errorf("%s, read: %v, files %q", name, err, names(t, dir))
		}
		_, err := Open(dir, realOptions())
		moved := slices.IndexFunc(names(t, dir), func(n string) bool { return strings.HasPrefix(n, SnapshotName+".bad-") })
		if !isUnreadable(err) || moved < 0 || read(t, dir, names(t, dir)[moved]) != bad || !strings.Contains(err.Error(), ".bad-") {
			t.Errorf("%s: %v, files %q", name, err, names(t, dir))
		}
		for range 2 {
			if _, err := Open(dir, realOptions()); !isUnreadable(err) || !strings.Contains(err.Error(), ".bad-") {
				t.Errorf("%s, again: %v", name, err)
			}
			if _, err := Create(dir, first(), realOptions()); !isUnreadable(err) {
				t.Errorf("%s: a fresh start gave %v", name, err)
			}
		}
		write(t, small, dir, SnapshotName)
		if got := openReal(t, dir).State().CurrentState; got != machine.Plan {
			t.Errorf("%s: a good copy put back reads as %s", name, got)
		}
	}
}

func TestKeyThatStandsTwiceInAnOlderStateIsSaid(t *testing.T) {
	dir := olderSession(t, strings.Replace(small, "{", "{\"currentState\":\"REVIEW\",\n", 1))
	s := openReal(t, dir)
	if said := strings.Join(s.Repairs(), "; "); s.State().CurrentState != machine.Plan ||
		!strings.Contains(said, `the key "currentState" stands twice in one object, the second time on line`) {
		t.Errorf("%s, repairs %q", s.State().CurrentState, said)
	}
}

func TestGoodBackupOfAnOlderProgramIsImported(t *testing.T) {
	for name, bad := range map[string]string{"cut": small[:30], "empty": "", "gone": "-"} {
		dir := olderSession(t, bad)
		if bad == "-" {
			remove(t, dir, SnapshotName)
		}
		write(t, small, dir, backupName)
		s := openReal(t, dir)
		if s.State().CurrentState != machine.Plan || len(s.Repairs()) == 0 || read(t, dir, "autopilot-state.v2.json") != small {
			t.Errorf("%s: %s, repairs %q", name, s.State().CurrentState, s.Repairs())
		}
		closed(t, s)
		if again := openReal(t, dir); len(again.Repairs()) > 0 {
			t.Errorf("%s: the second time it repairs %q", name, again.Repairs())
		}
	}
}

func TestDamagedOlderFileIsRefusedOrReadWithoutLoss(t *testing.T) {
	for name, damage := range damages {
		for at := range len(small) {
			bad := string(damage([]byte(small), at))
			disk, dir := newMemDisk(), sessionDir(t)
			disk.put(dir, map[string]string{SnapshotName: bad})
			opts := realOptions()
			opts.Disk = disk
			state, _, err := Read(dir, opts)
			var newer *NewerError
			switch {
			case err == nil && (len(state.Phases) == 0 || len(missingIn(document(t, bad), document(t, shownOf(t, bad)), "")) > 0):
				t.Fatalf("%s at %d: lost something", name, at)
			case err != nil && !isUnreadable(err) && !errors.As(err, &newer):
				t.Fatalf("%s at %d: %v", name, at, err)
			}
		}
	}
}

func shownOf(t *testing.T, file string) string {
	t.Helper()
	im, err := legacy.Import([]byte(file), "csv", realOptions().sources())
	if err != nil {
		t.Fatal(err)
	}
	shown, err := format.Encode(*im.Event.Initial, im.Unknown)
	if err != nil {
		t.Fatal(err)
	}
	return string(shown)
}

func TestOlderFilesBesideAJournal(t *testing.T) {
	dir := sessionDir(t)
	files := lived(t, dir)
	for name, c := range map[string]struct {
		files   map[string]string
		repairs int
	}{
		"put there by another program": {map[string]string{JournalName: files[JournalName], SnapshotName: small}, 1},
		"left by the import":           {map[string]string{JournalName: files[JournalName], SnapshotName: small, "autopilot-state.v2.json": small}, 0},
		"as a backup of the import":    {map[string]string{JournalName: files[JournalName], backupName: small, "autopilot-state.v2.json": small}, 0},
	} {
		restore(t, dir, c.files)
		s := open(t, dir)
		if s.State().Revision != 3 || len(s.Repairs()) != c.repairs {
			t.Errorf("%s: revision %d, repairs %q", name, s.State().Revision, s.Repairs())
		}
		closed(t, s)
	}
}

func TestSnapshotOfThisProgramWithoutAJournalIsImported(t *testing.T) {
	dir := sessionDir(t)
	s, err := Create(dir, first(), Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, machine.Event{Type: machine.RunStarted}, machine.Event{Type: machine.Noted, Detail: "mind the gap"})
	id := s.State().SessionID
	closed(t, s)
	remove(t, dir, JournalName)
	for _, name := range names(t, dir) {
		if name == backupName {
			remove(t, dir, name)
		}
	}
	whole := read(t, dir, SnapshotName)
	edited := strings.Replace(whole, `"runs": 1`, `"runs": 2`, 1)
	for _, file := range []string{whole, edited} {
		restore(t, dir, map[string]string{SnapshotName: file})
		s = openReal(t, dir)
		got := s.State()
		if got.Revision != 1 || got.SessionID == id || got.CurrentState != machine.Init || got.Runs == 0 || got.SpecPath != "docs/csv.md" {
			t.Errorf("%+v", got)
		}
		closed(t, s)
		checkNoOp(t, dir)
	}
}

func TestImportSurvivesAFaultAnywhere(t *testing.T) {
	dir := olderSession(t, small) // its lock is on the real disk
	for _, kind := range []faulty.Fault{faulty.Fail, faulty.Short, faulty.Stop, faulty.Tear} {
		for at := 1; ; at++ {
			disk := newMemDisk()
			disk.put(dir, map[string]string{SnapshotName: small})
			broken := &faulty.Disk{Disk: disk, At: at, Kind: kind}
			opts := realOptions()
			opts.Disk = broken
			s, err := Open(dir, opts)
			if err == nil {
				_ = s.Close()
			}
			if broken.Ops < at {
				break
			}
			left := []*memDisk{disk}
			if kind == faulty.Stop {
				left = append(disk.powerCuts(), disk)
			}
			for n, after := range left {
				checkImported(t, dir, after)
				if t.Failed() {
					t.Fatalf("fault %d at operation %d (%s), cut %d", kind, at, broken.Trace[at-1], n)
				}
			}
		}
	}
}

// checkImported opens what a fault left: the session is imported once, whole.
func checkImported(t *testing.T, dir string, disk *memDisk) {
	t.Helper()
	opts := realOptions()
	opts.Disk = disk
	s, err := Open(dir, opts)
	if err != nil {
		t.Error(err)
		return
	}
	defer s.Close()
	got := s.State()
	if got.CurrentState != machine.Plan || got.Revision != 1 || len(got.Decisions) != 1 {
		t.Errorf("%s at revision %d with %d decisions", got.CurrentState, got.Revision, len(got.Decisions))
	}
	if disk.get(t, "autopilot-state.v2.json") != small || !strings.Contains(disk.get(t, SnapshotName), `"note": "x"`) {
		t.Errorf("files %q", disk.list())
	}
	for _, name := range disk.list() {
		if strings.HasSuffix(name, storage.TempSuffix) || strings.Contains(name, ".edited-") {
			t.Errorf("left over: %s", name)
		}
	}
}

func TestLookShowsAStateAndWritesNothing(t *testing.T) {
	dir := olderSession(t, small)
	file := filepath.Join(dir, SnapshotName)
	for _, path := range []string{dir, file} {
		v, err := Look(path, realOptions())
		if err != nil || v.State.CurrentState != machine.Plan || len(v.Imported) == 0 {
			t.Fatalf("%s: %+v, error %v", path, v.State, err)
		}
		doc := document(t, string(v.Document))
		sameJSON(t, "note", doc["note"], "x")
		sameJSON(t, "imported", doc["imported"], v.Imported)
		again := filepath.Join(t.TempDir(), "shown.json")
		write(t, string(v.Document), again)
		second, err := Look(again, realOptions())
		if err != nil || len(second.Imported) > 0 {
			t.Errorf("what was shown reads as %q, error %v", second.Imported, err)
		}
	}
	if got := names(t, dir); len(got) != 1 || read(t, file) != small {
		t.Errorf("files %q", got)
	}
	closed(t, openReal(t, dir))
	if v, err := Look(file, realOptions()); err != nil || len(v.Imported) > 0 || v.State.Revision != 1 {
		t.Errorf("after the import %q at revision %d, error %v", v.Imported, v.State.Revision, err)
	}
}

func TestLookRefusesWhatIsNoState(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty.json": "", "cut.json": small[:50], "other.json": `{"a":1}`} {
		write(t, text, dir, name)
		if _, err := Look(filepath.Join(dir, name), realOptions()); !isUnreadable(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, `{"schemaVersion":99}`, dir, "newer.json")
	if _, err := Look(filepath.Join(dir, "newer.json"), realOptions()); !isNewer(99)(err) {
		t.Errorf("newer: %v", err)
	}
	if _, err := Look(filepath.Join(dir, "none.json"), realOptions()); err == nil || isUnreadable(err) {
		t.Errorf("missing: %v", err)
	}
	if _, err := Look(dir, realOptions()); !errors.Is(err, ErrNoSession) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestLookFindsTheSessionsNameInTheFile(t *testing.T) {
	for file, want := range map[string]string{
		`"sessionSlug":"a--b"`: "a--b", `"sessionDir":".harness/sessions/c--d"`: "c--d", `"specPath":"docs/e.md"`: "e", `"sessionDir":"/"`: "e",
	} {
		opts := realOptions()
		opts.Spec = func(string) (legacy.SpecText, error) {
			return legacy.SpecText{Slug: "e"}, errors.New("there is no spec")
		}
		path := filepath.Join(t.TempDir(), "state.json")
		write(t, fmt.Sprintf(`{%s,"phases":["A"]}`, file), path)
		v, err := Look(path, opts)
		if err != nil || v.State.SessionSlug != want || v.State.SessionDir != ".harness/sessions/"+want {
			t.Errorf("%s: %q in %q, error %v", file, v.State.SessionSlug, v.State.SessionDir, err)
		}
	}
}
