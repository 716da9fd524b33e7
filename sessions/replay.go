package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"autopilot/autopilot/machine"
)

// ErrNoJournal is what Replay returns for a session of an older program that no run took up yet.
var ErrNoJournal = errors.New("the session is of an older program and has no journal yet: there is nothing to hold it against")

// Replayed is what a pass over a whole journal found beside its events.
type Replayed struct {
	Copies []Copy
	Torn   int64 // bytes of a last entry that was cut off
}

// Copy is a snapshot's file beside a journal.
type Copy struct {
	Name   string
	State  machine.State
	Err    error          // why it cannot be taken
	Replay *machine.State // what the journal leads to at its revision
}

// Replay goes over the whole journal of a session, and calls take for each event with the states before and after it. It
// takes no lock and writes nothing. Errors are those of Read, and ErrNoJournal.
func Replay(dir string, opts Options, take func(before machine.State, e machine.Event, after machine.State)) (Replayed, error) {
	opts = opts.withDefaults()
	var r Replayed
	if err := plainSession(opts.Disk, dir); err != nil {
		return r, err
	}
	if err := r.readCopies(dir, opts); err != nil {
		return r, err
	}
	path := join(dir, JournalName)
	var state machine.State
	found, err := scanFile(opts.Disk, path, 0, false, func(_, offset int64, line []byte) error {
		e, next, err := applyLine(path, opts, state, offset, line)
		if err != nil {
			return err
		}
		take(state, e, next)
		state = next
		r.reached(next)
		return nil
	})
	r.Torn = found.torn
	if errors.Is(err, fs.ErrNotExist) || err == nil && found.last == 0 {
		if len(r.Copies) > 0 {
			return r, ErrNoJournal
		}
		return r, noSession(dir, opts.Disk)
	}
	return r, err
}

func (r *Replayed) readCopies(dir string, opts Options) error {
	for _, name := range []string{SnapshotName, backupName} {
		path := join(dir, name)
		file, err := opts.Disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading the state: %w", err)
		}
		c := Copy{Name: name}
		c.State, c.Err = decodeSnapshot(path, file)
		if _, ok := errors.AsType[*NewerError](c.Err); ok {
			return c.Err
		}
		if errors.Is(c.Err, errOlder) && hasCopy(opts.Disk, dir, file) {
			continue // the one that the journal was begun from
		}
		r.Copies = append(r.Copies, c)
	}
	return nil
}

// reached keeps the replayed state where a copy was written.
func (r *Replayed) reached(s machine.State) {
	for i, c := range r.Copies {
		if c.Err == nil && c.State.Revision == s.Revision {
			r.Copies[i].Replay = &s
		}
	}
}

// errEnough ends a pass over a journal early.
var errEnough = errors.New("enough events")

// Events gives the events after a revision, oldest first, as the journal has them without their checksums: at most
// limit of them, and not more than size bytes unless the first alone is longer. It takes no lock and writes nothing. A
// session without a journal, such as one of an older program, has none.
func Events(dir string, after int64, limit, size int, opts Options) ([]json.RawMessage, error) {
	opts = opts.withDefaults()
	if err := plainSession(opts.Disk, dir); err != nil {
		return nil, err
	}
	var events []json.RawMessage
	_, err := scanFile(opts.Disk, join(dir, JournalName), after, true, func(rev, _ int64, line []byte) error {
		if rev <= after {
			return nil
		}
		size -= len(line)
		if len(events) >= limit || size < 0 && len(events) > 0 {
			return errEnough
		}
		events = append(events, append(bytes.Clone(line[:len(line)-crcBytes]), '}'))
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return events, nil
}
