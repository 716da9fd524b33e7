//go:build crash

package app

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// The crash tests (make crash) hit the program at a chosen system call. Such calls are counted for one thread, so that
// all of the main goroutine's have to be made on the same one.
func init() { runtime.LockOSThread() }

// seedVariable names the bug that the store is to have, to show that the crash tests find it.
const seedVariable = "CRASH_SEED"

// seeded puts the wanted bug into the store of sessions, which does all on the one thread.
func seeded(o sessions.Options) sessions.Options {
	switch bug := os.Getenv(seedVariable); bug {
	case "":
	case "counter reset on resume":
		o.Apply = forgetful
	default:
		o.Disk = seededDisk{bug: bug, journal: &lateJournal{}}
	}
	return o
}

// forgetful is the core, but a run that takes up a session begins to count anew.
func forgetful(s machine.State, e machine.Event) (machine.State, error) {
	next, err := transition.Apply(s, e)
	if err == nil && e.Type == machine.RunStarted {
		next.Tasks = slices.Clone(next.Tasks)
		for i := range next.Tasks {
			next.Tasks[i].Attempts = nil
		}
	}
	return next, err
}

// seededDisk breaks the protocol of the store in one way.
type seededDisk struct {
	storage.OSDisk
	bug     string
	journal *lateJournal
}

const (
	stateFile   = "autopilot-state.json"
	journalFile = "events.jsonl"
)

func (d seededDisk) OpenFile(name string, flag int, perm fs.FileMode) (storage.File, error) {
	base := filepath.Base(name)
	if d.bug == "journal not synced" && base == journalFile || d.bug == "temp file not synced" && base == stateFile+".tmp" {
		return storage.PassingDisk{}.OpenFile(name, flag, perm)
	}
	f, err := d.OSDisk.OpenFile(name, flag, perm)
	if err == nil && d.bug == "snapshot before journal" && base == journalFile && flag&os.O_RDWR != 0 {
		d.journal.File = f
		return d.journal, nil
	}
	return f, err
}

func (d seededDisk) SyncFolder(name string) error {
	if d.bug == "folder not synced" {
		return nil
	}
	if err := d.OSDisk.SyncFolder(name); err != nil || d.journal.File == nil {
		return err
	}
	return d.journal.flush()
}

func (d seededDisk) Link(from, to string) error {
	if d.bug == "snapshot renamed away first" && filepath.Base(from) == stateFile {
		return os.Rename(from, to)
	}
	return d.OSDisk.Link(from, to)
}

func (d seededDisk) Rename(from, to string) error {
	if d.bug != "write in place" || filepath.Base(to) != stateFile {
		return d.OSDisk.Rename(from, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		return err
	}
	return os.Remove(from)
}

// lateJournal is a journal that gets its line when the snapshot has been replaced.
type lateJournal struct {
	storage.File
	line []byte
	at   int64
}

func (j *lateJournal) WriteAt(line []byte, at int64) (int, error) {
	if err := j.flush(); err != nil {
		return 0, err
	}
	if bytes.Contains(line, []byte(`"type":"used"`)) { // no snapshot follows
		return j.File.WriteAt(line, at)
	}
	j.line, j.at = slices.Clone(line), at
	return len(line), nil
}

func (j *lateJournal) Sync() error {
	if j.line != nil {
		return nil
	}
	return j.File.Sync()
}

func (j *lateJournal) Close() error {
	if err := j.flush(); err != nil {
		return err
	}
	return j.File.Close()
}

func (j *lateJournal) flush() error {
	if j.line == nil {
		return nil
	}
	_, err := j.File.WriteAt(j.line, j.at)
	if err == nil {
		err = j.File.Sync()
	}
	j.line = nil
	return err
}
