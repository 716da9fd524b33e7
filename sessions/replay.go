package sessions

import (
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
		e, err := decodeLine(line)
		var next machine.State
		if err == nil {
			next, err = opts.Apply(state, e)
		}
		if err != nil {
			why := fmt.Sprintf("event %s cannot have happened there: %v", e.Type, err)
			return &UnreadableError{Path: path, Offset: offset, Why: why, Err: err}
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
		var newer *NewerError
		if errors.As(c.Err, &newer) {
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
