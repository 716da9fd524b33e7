package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// Summary is a session in a list. Err says why its state cannot be read; then State is empty.
type Summary struct {
	Slug  string
	Dir   string
	State machine.State
	Err   error
}

// List reads all sessions of a .harness folder, by slug. It takes no lock and writes nothing.
func List(harness string, opts Options) ([]Summary, error) {
	root := join(harness, "sessions")
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing the sessions: %w", err)
	}
	var all []Summary
	for _, entry := range entries {
		s := Summary{Slug: entry.Name(), Dir: join(root, entry.Name())}
		if entry.Type().IsRegular() || entry.Name() == indexName { // which no session is called, whatever lies there
			continue
		}
		if s.State, _, s.Err = Read(s.Dir, opts); !errors.Is(s.Err, ErrNoSession) {
			all = append(all, s)
		}
	}
	return all, nil
}

// Archive moves a session's folder to archive (.harness/archive/sessions) as <slug>-<date>, with -2, -3 … where that
// is taken, and returns where it lies now. It is a *storage.LockedError while another process holds the session.
func Archive(dir, archive string, now func() time.Time) (string, error) {
	if err := plainSession(storage.OSDisk{}, dir); err != nil {
		return "", err
	}
	lock, err := storage.LockTree(join(dir, storage.LockName), now)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := os.MkdirAll(archive, 0o755); err != nil {
		return "", fmt.Errorf("making the archive: %w", err)
	}
	to, err := storage.FreeName(storage.OSDisk{}, join(archive, filepath.Base(dir)+"-"+now().UTC().Format(time.DateOnly)), "")
	if err != nil {
		return "", fmt.Errorf("archiving the session: %w", err)
	}
	if !storage.RenameWhileOpen {
		_ = lock.Close()
	}
	if err := os.Rename(dir, to); err != nil {
		return "", fmt.Errorf("archiving the session: %w", err)
	}
	for _, folder := range []string{archive, filepath.Dir(dir)} {
		if err := (storage.OSDisk{}).SyncFolder(folder); err != nil {
			return to, fmt.Errorf("archiving the session: %w", err)
		}
	}
	return to, nil
}

// Held says whether a run that is alive has the session in a folder. It takes nothing from it: the lock is asked only where
// its holder is there, and for less than a run wants.
func Held(dir string) bool { return storage.HeldAt(filepath.Join(dir, storage.LockName)) }
