package sessions

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/faulty"
	"autopilot/sessions/storage"
)

// wrote is what a behind wrote.
type wrote struct {
	mu  sync.Mutex
	all []string
}

func (w *wrote) write(what string) func() {
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all = append(w.all, what)
	}
}

func (w *wrote) is(t *testing.T, want ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.all, want) {
		t.Errorf("wrote %q, want %q", w.all, want)
	}
}

func TestOfWhatIsAskedForWithinTheRestTheLastIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b behind
		var w wrote
		b.ask("a", w.write("a1"))
		synctest.Wait()
		for _, what := range []string{"a2", "b1", "a3"} {
			b.ask(what[:1], w.write(what))
		}
		time.Sleep(behindRest - 1)
		synctest.Wait()
		w.is(t, "a1")
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		w.is(t, "a1", "b1", "a3")
		time.Sleep(behindRest)
		synctest.Wait()
		if b.soon() != nil {
			t.Error("somebody still works")
		}
	})
}

func TestWhoWaitsDoesNotWaitForTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b behind
		var w wrote
		b.wait() // nothing was asked for
		for _, what := range []string{"1", "2", "3"} {
			b.ask("a", w.write(what))
			synctest.Wait()
		}
		began := time.Now()
		b.wait()
		w.is(t, "1", "3")
		b.ask("a", w.write("4"))
		b.end()
		b.ask("a", w.write("5"))
		b.wait()
		w.is(t, "1", "3", "4")
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// slowDisk stops before the nth operation on a file of the snapshot, until it is let go on. Two goroutines may use it.
type slowDisk struct {
	storage.Disk
	mu      sync.Mutex
	left    int           // operations before the stop
	stopped chan struct{} // closed at the stop
	goOn    chan struct{}
}

func (d *slowDisk) at(name string) func() {
	d.mu.Lock()
	if strings.HasPrefix(filepath.Base(name), SnapshotName) {
		if d.left--; d.left == 0 {
			d.mu.Unlock()
			close(d.stopped)
			<-d.goOn
			d.mu.Lock()
		}
	}
	return d.mu.Unlock
}

func (d *slowDisk) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
	defer d.at(name)()
	f, err := d.Disk.OpenFile(name, flag, perm)
	return slowFile{f, d, name}, err
}

func (d *slowDisk) Lstat(name string) (fs.FileInfo, error) {
	defer d.at("")()
	return d.Disk.Lstat(name)
}

func (d *slowDisk) Rename(from, to string) error {
	defer d.at(from)()
	return d.Disk.Rename(from, to)
}

func (d *slowDisk) Link(from, to string) error {
	defer d.at(from)()
	return d.Disk.Link(from, to)
}

func (d *slowDisk) Remove(name string) error {
	defer d.at(name)()
	return d.Disk.Remove(name)
}

func (d *slowDisk) SyncFolder(name string) error {
	defer d.at(SnapshotName)()
	return d.Disk.SyncFolder(name)
}

type slowFile struct {
	storage.File
	disk *slowDisk
	name string
}

func (f slowFile) Write(p []byte) (int, error) {
	defer f.disk.at(f.name)()
	return f.File.Write(p)
}

func (f slowFile) WriteAt(p []byte, off int64) (int, error) {
	defer f.disk.at(f.name)()
	return f.File.WriteAt(p, off)
}

func (f slowFile) Sync() error {
	defer f.disk.at(f.name)()
	return f.File.Sync()
}

// TestNothingIsLostWhereverTheSnapshotLags stops the writing of a snapshot before each of its operations while the
// journal goes on, and then cuts the power.
func TestNothingIsLostWhereverTheSnapshotLags(t *testing.T) {
	for at := 1; ; at++ {
		dir, mem := sessionDir(t), newMemDisk()
		life(t, dir, &faulty.Disk{Disk: mem}, earlier)
		disk := &slowDisk{Disk: mem, stopped: make(chan struct{}), goOn: make(chan struct{})}
		opts := on(disk)
		opts.Behind = true
		s, err := Open(dir, opts)
		if err != nil {
			t.Fatal(err)
		}
		disk.mu.Lock()
		disk.left = at
		disk.mu.Unlock()
		apply(t, s, task("b1"))
		idle := make(chan struct{})
		go func() { s.behind.wait(); close(idle) }()
		over := false
		select {
		case <-disk.stopped:
		case <-idle:
			over = true
		}
		apply(t, s, task("b2"), task("b3"))
		disk.mu.Lock()
		left := mem.powerCuts()
		disk.mu.Unlock()
		close(disk.goOn)
		closed(t, s)
		for _, cut := range append(left, mem) {
			checkRecovered(t, dir, cut, slices.Concat(earlier, []string{"b1", "b2", "b3"}), "")
		}
		if t.Failed() {
			t.Fatalf("stopped before operation %d", at)
		}
		if over {
			if at < 10 {
				t.Errorf("only %d operations", at-1)
			}
			return
		}
	}
}

// createBehind is a session that writes what follows its journal behind it.
func createBehind(t *testing.T) (string, *Session) {
	t.Helper()
	dir, opts := sessionDir(t), options()
	opts.Behind = true
	s, err := Create(dir, first(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return dir, s
}

func TestCloseAndMarkWaitForWhatFollowsTheJournal(t *testing.T) {
	for name, tc := range map[string]struct {
		wait     func(*Session) error
		revision int64
	}{
		"Close": {(*Session).Close, 4}, "Mark": {(*Session).Mark, 3}, "Settle": {(*Session).Settle, 3},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := createBehind(t)
			apply(t, s, task("a"), task("b"))
			if err := s.Project(s.State()); err != nil {
				t.Fatal(err)
			}
			apply(t, s, machine.Event{Type: machine.Used}) // no snapshot is due for what only counts
			if err := tc.wait(s); err != nil {
				t.Fatal(err)
			}
			snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
			if err != nil || snapshot.Revision != tc.revision {
				t.Errorf("the snapshot is at revision %d, error %v", snapshot.Revision, err)
			}
			if !strings.Contains(read(t, dir, "state.json"), `"position"`) {
				t.Error("the projection is missing")
			}
		})
	}
}

func TestWhatCouldNotBeProjectedIsToldOnce(t *testing.T) {
	dir, s := createBehind(t)
	if err := os.Mkdir(filepath.Join(dir, "state.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, err := range []error{s.Project(s.State()), s.Settle(), s.Settle()} {
		if err != nil {
			told++
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	_ = s.Project(s.State()) // which fails again, now or later
	s.behind.wait()
	if err := s.WriteHandoff(Handoff{Summary: "words"}); err != nil {
		t.Errorf("a handoff is told of another file: %v", err)
	}
}

func TestAnImportedSessionHasItsSnapshotWhenItIsOpen(t *testing.T) {
	dir, opts := sessionDir(t), options()
	s, err := Create(dir, first(), opts)
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, task("a"), task("b"))
	closed(t, s)
	remove(t, dir, JournalName) // what is left is imported, and begins to count anew
	opts.Behind = true
	again, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	snapshot, err := decodeSnapshot(SnapshotName, []byte(read(t, dir, SnapshotName)))
	if err != nil || snapshot.Revision != again.State().Revision {
		t.Errorf("the snapshot is at revision %d, the session at %d, error %v", snapshot.Revision, again.State().Revision, err)
	}
}
