package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/machine"
)

// found is what a look into a session's folder gave. Looking changes nothing.
type found struct {
	state   machine.State
	unknown *kept
	good    bool    // the snapshot could be taken, and no event is newer
	aside   []aside // snapshots that could not
	journal scanned
}

// aside is a snapshot that cannot be taken: it will be renamed, never overwritten.
type aside struct {
	path   string
	suffix string
	why    string
}

// look reads the snapshot, else its backup, and applies the events that are newer. With tail, for readers, it takes no
// more of the journal than that needs, and no notice of unknown keys.
func look(dir string, opts Options, tail bool) (found, error) {
	var f found
	from, file, err := f.readSnapshots(dir, opts)
	if err != nil {
		return f, err
	}
	path, before := join(dir, journalName), f.state.Revision
	f.journal, err = scanFile(opts.Disk, path, before, tail, f.applyNewer(path, opts))
	var refused *UnreadableError
	switch {
	case errors.Is(err, fs.ErrNotExist) && from == "" && len(f.aside) == 0:
		return f, ErrNoSession
	case errors.Is(err, fs.ErrNotExist) && from == "":
		return f, &UnreadableError{Path: f.aside[0].path, Why: f.aside[0].why + ", and there is no journal"}
	case errors.Is(err, fs.ErrNotExist):
		return f, &MigrationNeededError{Path: join(dir, from), Version: f.state.SchemaVersion}
	case errors.As(err, &refused):
		return f, err
	case err != nil:
		return f, fmt.Errorf("reading the journal: %w", err)
	case f.journal.last < before:
		why := fmt.Sprintf("it ends at revision %d, but the state is at revision %d", f.journal.last, before)
		return f, &UnreadableError{Path: path, Offset: f.journal.end, Why: why}
	case f.state.Revision == 0 && len(f.aside) > 0:
		return f, &UnreadableError{Path: path, Why: "it holds no event"}
	case f.state.Revision == 0:
		return f, ErrNoSession
	}
	f.good = from == snapshotName && f.journal.last == before
	if file != nil && !tail {
		f.unknown = unknownIn(file, stateType)
	}
	return f, nil
}

// readSnapshots takes the snapshot or its backup; from is the name of the one taken, with its bytes, and "" when neither
// could be.
func (f *found) readSnapshots(dir string, opts Options) (from string, file []byte, err error) {
	_, err = opts.Disk.Lstat(join(dir, journalName))
	journaled := err == nil
	for _, name := range []string{snapshotName, backupName} {
		path := join(dir, name)
		file, err := opts.Disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", nil, fmt.Errorf("reading the state: %w", err)
		}
		f.state, err = decodeSnapshot(path, file)
		var older *MigrationNeededError
		switch {
		case err == nil:
			return name, file, nil
		case errors.Is(err, errDamaged):
			f.aside = append(f.aside, aside{path, ".bad-", err.Error()})
		case errors.Is(err, errEdited), errors.As(err, &older) && journaled:
			f.aside = append(f.aside, aside{path, ".edited-", errEdited.Error()})
		default:
			return "", nil, err
		}
	}
	return "", nil, nil
}

// applyNewer applies the events that the snapshot does not have yet.
func (f *found) applyNewer(path string, opts Options) visitor {
	return func(rev, offset int64, line []byte) error {
		if rev <= f.state.Revision {
			return nil
		}
		e, err := decodeLine(line)
		if err != nil {
			return &UnreadableError{Path: path, Offset: offset, Why: "it is no event: " + err.Error(), Err: err}
		}
		next, err := opts.Apply(f.state, e)
		if err != nil {
			why := fmt.Sprintf("event %s cannot have happened there: %v", e.Type, err)
			return &UnreadableError{Path: path, Offset: offset, Why: why, Err: err}
		}
		if f.state.Revision == 0 {
			f.unknown = unknownInFirst(line)
		}
		f.state = next
		return nil
	}
}

// unknownInFirst collects what State does not know of the document in the first event, which may be an imported one.
func unknownInFirst(line []byte) *kept {
	var first struct {
		Initial json.RawMessage `json:"initial"`
	}
	if json.Unmarshal(line, &first) != nil || first.Initial == nil {
		return nil
	}
	return unknownIn(first.Initial, stateType)
}

// plain refuses a path that is there and no regular file: a link would make the program write elsewhere.
func plain(disk Disk, path string) error {
	return refuseUnless(disk, path, func(m fs.FileMode) bool { return m.IsRegular() })
}

func refuseUnless(disk Disk, path string, good func(fs.FileMode) bool) error {
	info, err := disk.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !good(info.Mode()) {
		return &LinkError{Path: path}
	}
	return err
}

// plainSession refuses a session whose folder, or a file that decides, is a link or something special.
func plainSession(disk Disk, dir string) error {
	for folder, up := dir, 0; up < 3; folder, up = filepath.Dir(folder), up+1 {
		if up > 0 && filepath.Base(folder) != "sessions" && filepath.Base(folder) != ".harness" {
			break
		}
		if err := refuseUnless(disk, folder, fs.FileMode.IsDir); err != nil {
			return err
		}
	}
	for _, name := range []string{snapshotName, backupName, journalName, lockName} {
		if err := plain(disk, join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
