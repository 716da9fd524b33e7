package storage

import (
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
type Lock struct {
	file *os.File
	told holder
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
			busy.At = now()
			return nil, busy
		}
		return nil, fmt.Errorf("locking %s: %w", filepath.Base(path), err)
	}
	l := &Lock{file: f, told: self(now())}
	if err := l.introduce(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("writing the lock: %w", err)
	}
	return l, nil
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

// HeldAt says whether another process that is alive has the lock at a path, and takes nothing from it.
func HeldAt(path string) bool {
	_, held := HolderAt(path)
	return held
}

// HolderAt is the process that is alive and has the lock at a path; false where none has. It takes nothing from it.
func HolderAt(path string) (*LockedError, bool) {
	if Plain(OSDisk{}, path) != nil {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	h := lockedBy(f, path)
	if h.PID == 0 || dead(h) || !errors.Is(tryShared(f), errHeld) {
		return nil, false
	}
	return h, true
}
