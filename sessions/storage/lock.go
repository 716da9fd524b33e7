package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/plainfile"
)

// LockName is the file in the folder of a session that its holder keeps locked.
const LockName = "lock"

// Lock is held by one process at a time; the kernel frees it when its last holder dies. The file stays: a lock on a
// deleted file excludes nobody.
type Lock struct{ file *os.File }

// LockedError says that another process holds the session or the working tree. PID is 0 when the holder could not be
// read.
type LockedError struct {
	Path  string
	PID   int
	Host  string
	Since time.Time
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("another run holds %s: wait until it ends, or stop it", e.Path)
	}
	return fmt.Sprintf("another run (process %d on %s, since %s) holds %s: wait until it ends, or stop it",
		e.PID, e.Host, e.Since.Format(time.RFC3339), e.Path)
}

// holder is what the lock file says, for people only.
type holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// File is the open lock file. A process that inherits it keeps the lock while it lives.
func (l *Lock) File() *os.File { return l.file }

// Close frees the lock, unless another process inherited it. A second Close does nothing.
func (l *Lock) Close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// LockTree takes the lock at a path. It is a *LockedError when another process holds it.
func LockTree(path string, now func() time.Time) (*Lock, error) {
	if err := Plain(OSDisk{}, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, plainfile.PrivateFile)
	if err != nil {
		return nil, fmt.Errorf("opening the lock: %w", err)
	}
	if err := awaitLock(f, path); err != nil {
		busy := lockedBy(f, path)
		_ = f.Close()
		if errors.Is(err, errHeld) {
			return nil, busy
		}
		return nil, fmt.Errorf("locking %s: %w", filepath.Base(path), err)
	}
	if err := introduce(f, now()); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("writing the lock: %w", err)
	}
	return &Lock{file: f}, nil
}

// The lock of a program that was killed stays with the supervisor of its child, until that child has ended: a moment
// later it is free. One that this process closed stays with a child that is just being started, for less than that.
const (
	lockPause    = 20 * time.Millisecond
	lockTries    = 150
	ownLockTries = 25
)

// awaitLock takes the lock. One whose holder is dead, or this process, is waited for a moment, any other is an error at
// once.
func awaitLock(f *os.File, path string) error {
	err := HoldFile(f, false)
	for n := 0; errors.Is(err, errHeld) && n < triesFor(lockedBy(f, path)); n++ {
		time.Sleep(lockPause)
		err = HoldFile(f, false)
	}
	return err
}

func triesFor(h *LockedError) int {
	switch {
	case dead(h):
		return lockTries
	case h.PID == os.Getpid():
		return ownLockTries
	}
	return 0
}

// Dead says whether the process that held the lock is known not to run any more: what it started keeps the lock.
func (e *LockedError) Dead() bool { return dead(e) }

// dead says whether the process that the lock file names is known not to run any more.
func dead(h *LockedError) bool {
	host, err := os.Hostname()
	return err == nil && h.PID > 0 && h.Host == host && !Running(h.PID)
}

// Descriptor is what an open file of the operating system has, to be locked by.
type Descriptor interface{ Fd() uintptr }

// errHeld is HoldFile's word for a lock that another process has.
var errHeld = errors.New("held by another process")

// introduce writes who holds the lock.
func introduce(f *os.File, now time.Time) error {
	host, _ := os.Hostname() // for people only: an unknown name is no reason to stop
	text, err := json.Marshal(holder{PID: os.Getpid(), Host: host, Since: now.UTC().Round(0)})
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(append(text, '\n'), 0)
	return err
}

func lockedBy(f *os.File, path string) *LockedError {
	text := make([]byte, 4096)
	n, _ := f.ReadAt(text, 0)
	var h holder
	_ = json.Unmarshal(text[:n], &h) // half-written by the holder: then nothing is known of it
	return &LockedError{Path: path, PID: h.PID, Host: h.Host, Since: h.Since}
}

// HeldAt says whether another process that is alive has the lock at a path, and takes nothing from it.
func HeldAt(path string) bool {
	if Plain(OSDisk{}, path) != nil {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if h := lockedBy(f, path); h.PID == 0 || dead(h) {
		return false
	}
	return errors.Is(tryShared(f), errHeld)
}
