package sessions

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/sessions/faulty"
	"autopilot/sessions/learnings"
	"autopilot/sessions/storage"
)

// deed is something that a process does with files beside journal and snapshot: once whole, and once more after it broke off.
type deed struct {
	name string
	made func(t *testing.T, harness string) // what lies there before
	do   func(harness string, disk storage.Disk) error
	good func(t *testing.T, harness string, done bool) // done: the deed was done, else it was tried
}

const (
	gotcha  = "- **2025-03-04 [skill:executor] [outcome:gotcha]:** Mind the gap"
	success = "- **2025-03-04 [skill:executor] [outcome:success]:** It went well"
)

// hastyDisk does not wait for the disk: no power is cut here, and there are hundreds of runs.
type hastyDisk struct{ storage.OSDisk }

type hastyFile struct{ storage.File }

func (hastyFile) Sync() error { return nil }

func (d hastyDisk) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
	f, err := d.OSDisk.OpenFile(name, flag, perm)
	return hastyFile{f}, err
}

func (hastyDisk) SyncFolder(string) error { return nil }

// oldest are the entries that a prune takes out.
var oldest = []string{gotcha + " 1", gotcha + " 2", gotcha + " 3"}

// withSession does something with the session csv on a disk.
func withSession(harness string, disk storage.Disk, do func(*Session) error) error {
	s, err := Open(join(harness, "sessions", "csv"), on(disk))
	if err != nil {
		return err
	}
	if err := do(s); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close()
}

func deeds() []deed {
	begun := func(t *testing.T, harness string) {
		s, err := Create(join(harness, "sessions", "csv"), first(), on(hastyDisk{}))
		if err != nil {
			t.Fatal(err)
		}
		closed(t, s)
	}
	many := func(t *testing.T, harness string) {
		begun(t, harness)
		write(t, strings.Join(oldest, "\n")+"\n"+strings.Repeat(success+"\n", learnings.Kept), harness, "learnings.md")
	}
	return []deed{
		{"learning", begun, func(harness string, disk storage.Disk) error {
			return withSession(harness, disk, func(s *Session) error {
				return s.Learnings().Learn(learnings.Learning{Date: noon, Skill: "executor", Outcome: "gotcha", Text: "Mind the gap"}, "k")
			})
		}, func(t *testing.T, harness string, done bool) {
			checkLines(t, join(harness, "sessions", "csv", "learnings.md"), gotcha+" <!-- key:k -->", done)
		}},
		{"promoting", func(t *testing.T, harness string) {
			begun(t, harness)
			write(t, success+"\n"+gotcha+"\n", harness, "sessions", "csv", "learnings.md")
		}, func(harness string, disk storage.Disk) error {
			return withSession(harness, disk, func(s *Session) error { _, err := s.Learnings().Promote(); return err })
		}, func(t *testing.T, harness string, done bool) {
			l := learnings.Learning{Outcome: "gotcha", Text: "Mind the gap"}
			checkLines(t, join(harness, "learnings.md"), gotcha+" <!-- key:"+l.Key()+" -->", done)
		}},
		{"a failure", begun, func(harness string, disk storage.Disk) error {
			return withSession(harness, disk, func(s *Session) error {
				return s.Learnings().Fail(learnings.Failure{Date: noon, Skill: "executor", Type: "tasks_exhausted", Text: "It broke"}, "k")
			})
		}, func(t *testing.T, harness string, done bool) {
			checkLines(t, join(harness, "failures.md"), "- **2025-03-04 [skill:executor] [type:tasks_exhausted]:** It broke <!-- key:k -->", done)
		}},
		{"pruning", many, func(harness string, disk storage.Disk) error {
			_, err := learnings.Prune(disk, harness, harness, false, on(disk).Now)
			return err
		}, checkPruned},
		{"adopting", func(t *testing.T, harness string) { write(t, small, harness, SnapshotName) }, func(harness string, disk storage.Disk) error {
			return Adopt(join(harness, SnapshotName), join(harness, "sessions", "csv"), on(disk))
		}, func(t *testing.T, harness string, done bool) {
			checkText(t, join(harness, "sessions", "csv", SnapshotName), "", small, done)
		}},
		{"raising a roadmap", func(t *testing.T, harness string) { write(t, "old\n", harness, "roadmap.md") }, func(harness string, disk storage.Disk) error {
			return storage.ReplaceText(disk, join(harness, "roadmap.md"), []byte("new\n"))
		}, func(t *testing.T, harness string, done bool) {
			checkText(t, join(harness, "roadmap.md"), "old\n", "new\n", done)
		}},
	}
}

// checkText expects what a file was or what it becomes; once it is done, the latter.
func checkText(t *testing.T, path, old, with string, done bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if got := string(text); got != with && (done || got != old) {
		t.Errorf("%s holds %q, error %v", filepath.Base(path), got, err)
	}
}

// checkLines expects a log of one line; before it is done there may be a part of it.
func checkLines(t *testing.T, path, line string, done bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if got := string(text); got != line+"\n" && (done || !strings.HasPrefix(line+"\n", got)) {
		t.Errorf("%s holds %q, error %v", filepath.Base(path), got, err)
	}
}

// checkPruned expects every entry in one of the two files, or while it is not done in both.
func checkPruned(t *testing.T, harness string, done bool) {
	t.Helper()
	kept := read(t, harness, "learnings.md")
	archived, err := os.ReadFile(join(harness, "archive", "learnings-2025-03.md"))
	if n := strings.Count(kept, success); n != learnings.Kept {
		t.Errorf("%d of the newest are kept", n)
	}
	for _, line := range oldest {
		inKept, inArchive := strings.Count(kept, line), strings.Count(string(archived), line)
		if inKept > 1 || inArchive > 1 || inKept+inArchive == 0 || done && inKept > 0 {
			t.Errorf("%s: %d times kept and %d times archived, error %v", line, inKept, inArchive, err)
		}
	}
}

func TestWhatIsWrittenBesideTheJournalIsOldOrNewWhateverOperationFails(t *testing.T) {
	for _, d := range deeds() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			whole := d.breakOff(t, 0, faulty.Fail)
			if len(whole) < 7 {
				t.Errorf("there are %d operations, fewer than it takes", len(whole))
			}
			for _, kind := range []faulty.Fault{faulty.Fail, faulty.Short, faulty.Stop, faulty.Tear} {
				for _, at := range faulty.Points(whole, kind) {
					if d.breakOff(t, at, kind); t.Failed() {
						t.Fatalf("fault %d at operation %d (%s)", kind, at, whole[at-1])
					}
				}
			}
		})
	}
}

// breakOff does the deed with a fault at one operation, and once more on a good disk. It gives the operations.
func (d deed) breakOff(t *testing.T, at int, kind faulty.Fault) (trace []string) {
	t.Helper()
	harness := filepath.Join(t.TempDir(), ".harness")
	if err := os.MkdirAll(harness, 0o755); err != nil {
		t.Fatal(err)
	}
	d.made(t, harness)
	disk := &faulty.Disk{Disk: hastyDisk{}, At: at, Kind: kind}
	err := d.do(harness, disk)
	d.good(t, harness, at == 0)
	if at == 0 && err != nil {
		t.Error(err)
	}
	if err := d.do(harness, hastyDisk{}); err != nil && !errors.Is(err, ErrSessionExists) {
		t.Errorf("once more: %v", err)
	}
	d.good(t, harness, true)
	checkNothingLeft(t, harness)
	return disk.Trace
}

func checkNothingLeft(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "tmp") {
			t.Errorf("%s is left over", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
