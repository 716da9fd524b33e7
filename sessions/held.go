package sessions

import (
	"path/filepath"

	"autopilot/sessions/storage"
)

// Held says whether a run that is alive has the session in a folder. It takes nothing from it: the lock is asked only where
// its holder is there, and for less than a run wants.
func Held(dir string) bool { return storage.HeldAt(filepath.Join(dir, storage.LockName)) }
