package taskfile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"autopilot/sessions/storage"
)

// The times of the transaction lock. Those who wait longest for it are the processes of other programs, which look
// every 50 ms.
const (
	defaultTimeout = 5 * time.Second
	maxTimeout     = time.Hour
	firstPause     = time.Millisecond
	longestPause   = 16 * time.Millisecond
	namelessFor    = time.Second // how long a lock may be without a holder's name: its folder is made first
)

// folderLock is the transaction lock that all programs of the format know: a folder that one process at a time can make,
// with the file pid in it. It outlives a killed holder, and is then reclaimed. A pid that was given to another process
// since cannot be told from its first owner: such a lock stays busy until that process ends.
type folderLock struct {
	path string
	disk storage.Disk
}

// lockFolder is the lock of a root folder.
func lockFolder(root string) (string, error) {
	path, err := filepath.Abs(root)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", fmt.Errorf("finding the folder of the task file: %w", err)
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(lockHome(), fmt.Sprintf("harness-%x.lock", sum[:8])), nil
}

// timeout is how long the lock is waited for.
func (s *Store) timeout() time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(s.env("HARNESS_LOCK_TIMEOUT_SECONDS")), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return defaultTimeout
	}
	return time.Duration(min(n, maxTimeout.Seconds()) * float64(time.Second))
}

// lock takes the transaction lock. Errors: *BusyLockError, why ctx ended, and those of the operating system.
func (s *Store) lock(ctx context.Context) (folderLock, error) {
	path, err := lockFolder(s.Root)
	if err != nil {
		return folderLock{}, err
	}
	l, timeout := folderLock{path, s.disk()}, s.timeout()
	end := time.NewTimer(timeout)
	defer end.Stop()
	var nameless time.Duration
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		taken, err := l.try()
		if taken || err != nil {
			return l, err
		}
		pid := l.pid()
		if pid > 0 && !storage.Running(pid) || nameless >= namelessFor {
			l.reclaim(pid)
			nameless = 0
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return folderLock{}, context.Cause(ctx)
		case <-end.C:
			return folderLock{}, &BusyLockError{Path: path, PID: pid, Waited: timeout}
		}
		if nameless += pause; pid > 0 {
			nameless = 0
		}
	}
}

// try makes the folder, and puts the holder's name into it. Whoever was so slow with the name that the folder was
// reclaimed finds none, or that of another, and has not got the lock.
func (l folderLock) try() (bool, error) {
	err := l.disk.Mkdir(l.path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("taking the lock of the task file: %w", err)
	}
	f, err := l.disk.OpenFile(l.name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		_, err = f.Write([]byte(strconv.Itoa(os.Getpid())))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		_ = l.disk.RemoveAll(l.path)
		return false, fmt.Errorf("writing the lock of the task file: %w", err)
	}
	return true, nil
}

func (l folderLock) name() string { return filepath.Join(l.path, "pid") }

// pid is who holds the lock, 0 where that is not said (yet).
func (l folderLock) pid() int {
	text, err := l.disk.ReadFile(l.name())
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 0 || pid > math.MaxInt32 {
		return 0
	}
	return pid
}

// release frees the lock, unless it is not this process's any more.
func (l folderLock) release() {
	for range 2 { // what cannot be read once may be read again; a lock that is left is held as long as this process lives
		if l.pid() != os.Getpid() {
			continue
		}
		if errors.Join(l.disk.Remove(l.name()), l.disk.Remove(l.path)) != nil {
			_ = l.disk.RemoveAll(l.path)
		}
		return
	}
}

// takeGuard locks a file, which the kernel frees when its holder dies. It fails while another process has it. The file
// stays: a lock on a deleted file excludes nobody.
func takeGuard(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE|noFollow, 0o644)
	if err != nil {
		return nil, err
	}
	if err := storage.HoldFile(f, false); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// reclaim takes away the folder of a holder that is gone. Two who do it at once would take away each other's new lock as
// well, so that it is done by one of this program's processes at a time, who looks again first. Other programs do not
// know that guard: what was caught from under one of them is put back.
func (l folderLock) reclaim(dead int) {
	guard, err := takeGuard(l.path + ".guard")
	if err != nil {
		return
	}
	defer guard.Close()
	if l.pid() != dead {
		return
	}
	for n := range 100 {
		stale := fmt.Sprintf("%s.stale.%d.%d", l.path, os.Getpid(), n)
		if _, err := l.disk.Lstat(stale); err == nil {
			continue
		}
		if l.disk.Rename(l.path, stale) != nil {
			return
		}
		if pid := (folderLock{stale, l.disk}).pid(); pid != dead && storage.Running(pid) {
			_ = l.disk.Rename(stale, l.path)
			return
		}
		_ = l.disk.RemoveAll(stale)
		return
	}
}
