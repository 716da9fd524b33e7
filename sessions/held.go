package sessions

import (
	"errors"
	"os"
	"path/filepath"
)

// Held says whether a run that is alive has the session in a folder. It takes nothing from it: the lock is asked only where
// its holder is there, and for less than a run wants.
func Held(dir string) bool {
	path := filepath.Join(dir, lockName)
	if plain(OSDisk{}, path) != nil {
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
