package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
)

// View is a state as it reads after migration. Document is its file with the list of repairs under "imported".
type View struct {
	State    machine.State
	Document []byte
	Imported []string // what was repaired, in plain words
}

// Look reads a session's folder, or a file that holds a state, of whatever version. It takes no lock and writes
// nothing. Errors: ErrNoSession, *UnreadableError, *NewerError, *plainfile.LinkError and those of the disk.
func Look(path string, opts Options) (View, error) {
	opts = opts.withDefaults()
	info, err := os.Stat(path)
	if err != nil {
		return View{}, fmt.Errorf("reading the state: %w", err)
	}
	if info.IsDir() {
		return viewFolder(path, opts)
	}
	if name := filepath.Base(path); name == SnapshotName {
		if _, err := os.Lstat(join(filepath.Dir(path), JournalName)); err == nil {
			return viewFolder(filepath.Dir(path), opts)
		}
	}
	return viewFile(path, opts)
}

func viewFolder(dir string, opts Options) (View, error) {
	if err := plainSession(opts.Disk, dir); err != nil {
		return View{}, err
	}
	f, err := look(dir, opts, false)
	if err != nil {
		return View{}, err
	}
	return viewOf(f.state, f.unknown, f.notes())
}

// viewFile reads one file by itself: a snapshot of this program as it is, any other as its import would read it.
func viewFile(path string, opts Options) (View, error) {
	file, err := opts.Disk.ReadFile(path)
	if err != nil {
		return View{}, fmt.Errorf("reading the state: %w", err)
	}
	s, err := decodeSnapshot(path, file)
	var newer *NewerError
	switch {
	case err == nil:
		return viewOf(s, format.UnknownBeside(s, file), nil)
	case errors.As(err, &newer):
		return View{}, err
	}
	im, err := legacy.Import(file, slugOf(path), opts.sources())
	if err == nil {
		s, err = opts.Apply(machine.State{}, im.Event)
	}
	if err != nil {
		return View{}, &UnreadableError{Path: path, Why: err.Error(), Err: err}
	}
	return viewOf(s, im.Unknown, im.Repairs)
}

// slugOf is the session that a file's place names: that of a folder in sessions/.
func slugOf(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil || filepath.Base(filepath.Dir(dir)) != "sessions" {
		return ""
	}
	return filepath.Base(dir)
}

func viewOf(s machine.State, unknown *format.Kept, repairs []string) (View, error) {
	repairs = append([]string{}, repairs...) // no list reads as an empty one
	list, err := format.Compact(repairs)
	if err != nil {
		return View{}, fmt.Errorf("showing the state: %w", err)
	}
	shown := format.Kept{Keys: map[string]json.RawMessage{}}
	if unknown != nil {
		shown = *unknown
		shown.Keys = map[string]json.RawMessage{}
		maps.Copy(shown.Keys, unknown.Keys)
	}
	shown.Keys["imported"] = list
	document, err := format.Encode(s, &shown)
	return View{State: s, Document: document, Imported: repairs}, err
}
