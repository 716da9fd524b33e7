package sessions

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// found is what a look into a session's folder gave. Looking changes nothing.
type found struct {
	state    machine.State
	unknown  *format.Kept
	sum      [sha256.Size]byte // of the snapshot's file, where it is the base; not with tail
	good     bool              // the snapshot could be taken, and no event is newer
	aside    []aside           // snapshots that could not
	journal  scanned
	lost     bool             // the state cannot be read, and there is nothing to rebuild it from
	older    []foreign        // snapshots that are no base for a journal; without one they are imported
	imported *legacy.Imported // the state comes from such a file
	from     foreign          // which is this one
}

// aside is a snapshot that cannot be taken: it will be renamed, never overwritten.
type aside struct {
	path   string
	suffix string
	why    string
}

// foreign is a readable snapshot that this program did not leave beside a journal as it is.
type foreign struct {
	path string
	file []byte
}

// look reads the snapshot, else its backup, and applies the events that are newer. With tail, for readers, it takes no
// more of the journal than that needs, and no notice of unknown keys. A session without a journal is imported.
func look(dir string, opts Options, tail bool) (found, error) {
	var f found
	from, file, err := f.readSnapshots(dir, opts)
	if err != nil {
		return f, err
	}
	path, base := join(dir, JournalName), f.state
	if f.state.Register == nil { // an earlier program wrote it: the journal has what was found
		f.state = machine.State{}
	}
	before := f.state.Revision
	f.journal, err = scanFile(opts.Disk, path, before, tail, f.applyNewer(path, opts))
	absent := errors.Is(err, fs.ErrNotExist)
	var refused *UnreadableError
	switch {
	case errors.As(err, &refused):
		return f, err
	case err != nil && !absent:
		return f, fmt.Errorf("reading the journal: %w", err)
	case from != "" && (absent || f.journal.last == 0 && hasCopy(opts.Disk, dir, file)):
		f.older = append(f.older, foreign{join(dir, from), file})
		return f, f.readOlder(dir, opts)
	case f.journal.last < base.Revision:
		why := fmt.Sprintf("it ends at revision %d, but the state is at revision %d", f.journal.last, base.Revision)
		return f, &UnreadableError{Path: path, Offset: f.journal.end, Why: why}
	case f.state.Revision == 0 && len(f.older)+len(f.aside) > 0:
		return f, f.readOlder(dir, opts)
	case f.state.Revision == 0:
		return f, noSession(dir, opts.Disk)
	}
	f.setOlderAside(dir, opts.Disk)
	f.good = from == SnapshotName && f.journal.last == before
	if file != nil && !tail {
		f.unknown = format.UnknownBeside(base, file)
	}
	if from == SnapshotName && !tail {
		f.sum = sha256.Sum256(file)
	}
	return f, nil
}

// notes say what Open would repair.
func (f *found) notes() []string {
	var notes []string
	source := "the journal"
	if f.imported != nil {
		notes, source = f.imported.Repairs, filepath.Base(f.from.path)
	}
	for _, a := range f.aside {
		notes = append(notes, fmt.Sprintf("%s cannot be used: %s; the state was read from %s", filepath.Base(a.path), a.why, source))
	}
	return notes
}

// readSnapshots takes the snapshot or its backup; from is the name of the one taken, with its bytes, and "" when neither
// could be.
func (f *found) readSnapshots(dir string, opts Options) (from string, file []byte, err error) {
	var edited []foreign
	defer func() { f.older = append(f.older, edited...) }() // what another hand changed is the last resort
	for _, name := range []string{SnapshotName, backupName} {
		path := join(dir, name)
		file, err := opts.Disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", nil, fmt.Errorf("reading the state: %w", err)
		}
		f.state, err = decodeSnapshot(path, file)
		switch {
		case err == nil:
			return name, file, nil
		case errors.Is(err, format.ErrDamaged):
			f.aside = append(f.aside, aside{path, ".bad-", err.Error()})
		case errors.Is(err, errEdited):
			f.aside = append(f.aside, aside{path, ".edited-", err.Error()})
			edited = append(edited, foreign{path, file})
		case errors.Is(err, errOlder):
			f.older = append(f.older, foreign{path, file})
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
		_, next, err := applyLine(path, opts, f.state, offset, line)
		if err != nil {
			return err
		}
		if f.state.Revision == 0 {
			f.unknown = unknownInFirst(line)
		}
		f.state = next
		return nil
	}
}

// applyLine applies the event of a line. One that cannot be is an *UnreadableError.
func applyLine(path string, opts Options, s machine.State, offset int64, line []byte) (machine.Event, machine.State, error) {
	e, err := decodeLine(line)
	why := "it is no event"
	if err == nil {
		s, err = opts.Apply(s, e)
		why = fmt.Sprintf("event %s cannot have happened there", e.Type)
	}
	if err != nil {
		err = &UnreadableError{Path: path, Offset: offset, Why: why + ": " + err.Error(), Err: err}
	}
	return e, s, err
}

// unknownInFirst collects what State does not know of the document in the first event, which may be an imported one.
func unknownInFirst(line []byte) *format.Kept {
	var first struct {
		Initial json.RawMessage `json:"initial"`
	}
	if json.Unmarshal(line, &first) != nil || first.Initial == nil {
		return nil
	}
	return format.UnknownIn(first.Initial, format.StateType)
}

// plainSession refuses a session whose folder, or a file that decides, is a link or something special.
func plainSession(disk storage.Disk, dir string) error {
	if err := plainFolders(disk, dir); err != nil {
		return err
	}
	for _, name := range []string{SnapshotName, backupName, JournalName, storage.LockName} {
		if err := storage.Plain(disk, join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// plainFolders refuses a session's folder, and those of .harness that it lies in, where one is a link.
func plainFolders(disk storage.Disk, dir string) error {
	for folder, up := dir, 0; up < 3; folder, up = filepath.Dir(folder), up+1 {
		if up > 0 && filepath.Base(folder) != "sessions" && filepath.Base(folder) != ".harness" {
			break
		}
		if err := storage.PlainFolder(disk, folder); err != nil {
			return err
		}
	}
	return nil
}
