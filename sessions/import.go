package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// olderPrefix begins the names under which the bytes of imported files stay: autopilot-state.v2.json.
const olderPrefix = "autopilot-state.v"

// readOlder takes the state from the first file that holds one, where no journal does.
func (f *found) readOlder(dir string, opts Options) error {
	f.state = machine.State{}
	for _, candidate := range f.older {
		im, err := legacy.Import(candidate.file, filepath.Base(dir), opts.sources())
		if err == nil {
			var next machine.State
			if next, err = opts.Apply(f.state, im.Event); err == nil {
				f.aside = slices.DeleteFunc(f.aside, func(a aside) bool { return a.path == candidate.path })
				f.state, f.unknown, f.imported, f.from = next, im.Unknown, &im, candidate
				return nil
			}
		}
		if !slices.ContainsFunc(f.aside, func(a aside) bool { return a.path == candidate.path }) {
			f.aside = append(f.aside, aside{candidate.path, ".bad-", err.Error()})
		}
	}
	f.lost = true
	return lostError(f.aside[0].path, f.aside[0].why, nil)
}

// setOlderAside sets files aside that another program put beside the journal. Those that the journal was begun from
// are no news.
func (f *found) setOlderAside(dir string, disk storage.Disk) {
	for _, o := range f.older {
		known := func(a aside) bool { return a.path == o.path }
		if !slices.ContainsFunc(f.aside, known) && !hasCopy(disk, dir, o.file) {
			f.aside = append(f.aside, aside{o.path, ".edited-", errEdited.Error()})
		}
	}
}

// importAs begins the session's journal with what was found in a file of an older program. Its bytes are kept first:
// a kill in between leaves the file as it was, and the import is made again.
func (s *Session) importAs(f found) error {
	kept, err := s.keepOlder(f.imported.Version, f.from.file)
	if err != nil {
		return err
	}
	for _, a := range f.aside {
		if err := s.setAside(a, filepath.Base(f.from.path)); err != nil {
			return err
		}
	}
	if s.journal, err = openJournal(s.opts.Disk, join(s.dir, JournalName), 0); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	line, err := encodeImported(f.imported.Event, f.unknown)
	if err != nil {
		return err
	}
	if err := s.journal.append(line); err != nil {
		return err
	}
	s.unknown = f.unknown
	s.take(f.state, dueNow)
	s.repaired("%s of an older program (schema version %d) was imported; it is kept as %s", filepath.Base(f.from.path), f.imported.Version, kept)
	for _, line := range f.imported.Repairs {
		s.repaired("imported: %s", line)
	}
	return nil
}

// encodeImported makes the journal's line of an imported session, with the keys that State does not know.
func encodeImported(e machine.Event, unknown *format.Kept) ([]byte, error) {
	body, err := format.Compact(e)
	if err == nil {
		body, err = (&format.Kept{Within: map[string]*format.Kept{"initial": unknown}}).Overlay(body)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the imported state as JSON: %w", err)
	}
	return sign(body[:len(body)-1]), nil
}

// keepOlder keeps the bytes of an imported file beside the session, durably, and returns its name.
func (s *Session) keepOlder(version int, file []byte) (string, error) {
	if name := copyOf(s.opts.Disk, s.dir, file); name != "" {
		return name, nil
	}
	path, err := storage.FreeName(s.opts.Disk, join(s.dir, fmt.Sprintf("%s%d", olderPrefix, version)), ".json")
	if err == nil {
		err = storage.ReplaceDurably(s.opts.Disk, path, file, false)
	}
	if err != nil {
		return "", fmt.Errorf("keeping the older state: %w", err)
	}
	return filepath.Base(path), nil
}

func hasCopy(disk storage.Disk, dir string, file []byte) bool { return copyOf(disk, dir, file) != "" }

// copyOf is the name under which the bytes of an imported file are kept; "" where they are not.
func copyOf(disk storage.Disk, dir string, file []byte) string {
	entries, err := disk.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, olderPrefix) && strings.HasSuffix(name, ".json") && entry.Type().IsRegular() {
			if kept, err := disk.ReadFile(join(dir, name)); err == nil && bytes.Equal(kept, file) {
				return name
			}
		}
	}
	return ""
}

// lostError says that a state cannot be read and that nothing is there to rebuild it from.
func lostError(path, why string, moved []string) error {
	why += ", and there is no journal to rebuild it from"
	if len(moved) > 0 {
		why += "; it was moved to " + strings.Join(moved, " and ")
	}
	return &UnreadableError{Path: path, Why: why}
}

// noSession is ErrNoSession, unless a state was moved aside here: what could not be read is not to be started over
// without a word.
func noSession(dir string, disk storage.Disk) error {
	entries, err := disk.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for a session: %w", err)
	}
	for _, entry := range entries {
		for _, start := range []string{SnapshotName, backupName} {
			if strings.HasPrefix(entry.Name(), start+".bad-") || strings.HasPrefix(entry.Name(), start+".edited-") {
				return &UnreadableError{Path: join(dir, SnapshotName), Why: "it could not be read, and was moved to " + entry.Name()}
			}
		}
	}
	return ErrNoSession
}
