package taskfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// goneProcess is the id of a process that is gone.
func goneProcess(t *testing.T) string {
	t.Helper()
	c := exec.CommandContext(context.Background(), os.Args[0], "-test.run", "^$")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(c.Process.Pid)
}

// TestTheTaskFileIsOldOrNewWhateverOperationFails has a change, with its line in the log, break off at each operation, those
// of the lock among them. The list is then what it was or what it became; once more, it is what it became.
func TestTheTaskFileIsOldOrNewWhateverOperationFails(t *testing.T) {
	const damaged, good = `{"version": 2, "tasks": [`, `{"version": 2, "session_count": 0}`
	gone := goneProcess(t)
	for name, files := range map[string]map[string]string{
		"a list": {FileName: good}, "a damaged one with its backup": {FileName: damaged, BackupName: good},
	} {
		for _, kind := range []faulty.Fault{faulty.Fail, faulty.Short, faulty.Stop, faulty.Tear} {
			t.Run(fmt.Sprintf("%s, fault %d", name, kind), func(t *testing.T) {
				t.Parallel()
				whole := faultAt(t, files, 0, kind, gone)
				if len(whole) < 20 {
					t.Errorf("there are %d operations, fewer than it takes", len(whole))
				}
				for _, at := range faulty.Points(whole, kind) {
					if faultAt(t, files, at, kind, gone); t.Failed() {
						t.Fatalf("at operation %d (%s)", at, whole[at-1])
					}
				}
			})
		}
	}
}

// faultAt has the change break off at one operation, and makes it once more. It gives the operations.
func faultAt(t *testing.T, files map[string]string, at int, kind faulty.Fault, gone string) (trace []string) {
	t.Helper()
	s := storeIn(t, t.TempDir())
	for name, text := range files {
		write(t, s, name, text)
	}
	lock := lockOf(t, s)
	disk := &faulty.Disk{Disk: storage.OSDisk{}, At: at, Kind: kind}
	synctest.Test(t, func(t *testing.T) { breakOff(t, s, disk) })
	if kind >= faulty.Stop {
		leaveTo(t, lock, gone)
	}
	synctest.Test(t, func(t *testing.T) { onceMore(t, s) })
	if left := names(t, s); strings.Contains(strings.Join(left, " "), ".tmp") || exists(lock) {
		t.Errorf("the folder holds %q; the lock is there: %t", left, exists(lock))
	}
	return disk.Trace
}

// breakOff makes one change, and a line of the log, on a disk with a fault.
func breakOff(t *testing.T, s *Store, disk *faulty.Disk) {
	t.Helper()
	own := &Store{Root: s.Root, Now: s.Now, Env: patient, Disk: disk}
	err := own.Update(t.Context(), func(l *TaskList) error { l.SessionCount = 1; return nil })
	if err == nil {
		err = own.Log(ProgressLine{Type: "INIT", Message: "begun"})
	}
	if l, readErr := s.Read(); readErr != nil || l.SessionCount > 1 || err == nil && l.SessionCount != 1 {
		t.Errorf("it ended with %v, and left %d, error %v", err, l.SessionCount, readErr)
	}
}

// leaveTo makes the lock that is left that of another process.
func leaveTo(t *testing.T, lock, pid string) {
	t.Helper()
	name := filepath.Join(lock, "pid")
	if text, err := os.ReadFile(name); err != nil || len(text) == 0 {
		return // it was cut off before it had a name
	}
	if err := os.WriteFile(name, []byte(pid), 0o600); err != nil {
		t.Error(err)
	}
}

// onceMore makes the change and the line on a good disk.
func onceMore(t *testing.T, s *Store) {
	t.Helper()
	again := &Store{Root: s.Root, Now: s.Now, Env: patient}
	err := again.Update(t.Context(), func(l *TaskList) error { l.SessionCount = 1; return nil })
	err = errors.Join(err, again.Log(ProgressLine{Type: "INIT", Message: "begun"}))
	if l, readErr := s.Read(); err != nil || readErr != nil || l.SessionCount != 1 || s.Repaired() != "" {
		t.Errorf("once more: %v; then %d, %v, %s", err, l.SessionCount, readErr, s.Repaired())
	}
	lines := strings.Split(strings.TrimSpace(text(t, s, ProgressName)), "\n")
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, " INIT begun") {
		t.Errorf("the last line of the log is %q", last)
	}
}
