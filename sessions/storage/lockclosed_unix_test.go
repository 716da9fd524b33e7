//go:build unix

package storage

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestALockThatWasJustClosedIsWaitedFor: a child that is being started has the file open until it runs its program.
func TestALockThatWasJustClosedIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := LockTree(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	child, err := unix.Dup(int(first.File().Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(2*lockPause, func() { _ = unix.Close(child) })
	second, err := LockTree(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}
