package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"autopilot/autopilot/machine"
)

// ErrNoJournal is what Audit returns for a session of an older program that no run took up yet.
var ErrNoJournal = errors.New("the session is of an older program and has no journal yet: there is nothing to hold it against")

// Problem is something in a session that does not hold.
type Problem struct {
	Where string `json:"where"` // a file of the session's folder, a revision of the journal, or a commit
	What  string `json:"what"`
	Means string `json:"means"`
}

// Audited is what a look at everything that a session recorded gives.
type Audited struct {
	State      machine.State        // as the journal says it
	Events     int64                // entries of the journal
	Claims     []machine.Claim      // what the session says of itself
	Proofs     []machine.Proof      // the records on which that rests
	Dispatches []machine.Flown      // and the dispatches that ended
	Outputs    int                  // files of output that were looked at
	Replies    int                  // replies that were compared with the journal
	Said       []string             // worth knowing, and no problem
	Problems   map[string][]Problem // by what was looked at: state, outputs, attempts, records
}

// The parts of a session's folder that Audit looks at, as keys of Audited.Problems.
const (
	AuditState    = "state"
	AuditOutputs  = "outputs"
	AuditAttempts = "attempts"
)

func (a *Audited) problem(part, where, means, format string, args ...any) {
	a.Problems[part] = append(a.Problems[part], Problem{Where: where, What: fmt.Sprintf(format, args...), Means: means})
}

func (a *Audited) say(format string, args ...any) {
	a.Said = append(a.Said, fmt.Sprintf(format, args...))
}

// Audit replays the journal of a session and holds everything else in its folder against it: snapshot, output files,
// attempts, projections. It takes no lock and writes nothing. Errors are those of Read, and ErrNoJournal.
func Audit(dir string, opts Options) (Audited, error) {
	opts = opts.withDefaults()
	a := Audited{Problems: map[string][]Problem{}}
	if err := plainSession(opts.Disk, dir); err != nil {
		return a, err
	}
	copies, err := a.readCopies(dir, opts)
	if err != nil {
		return a, err
	}
	path := join(dir, journalName)
	ledger, files := &machine.Ledger{}, newShownFiles()
	found, err := scanFile(opts.Disk, path, 0, false, func(rev, offset int64, line []byte) error {
		e, err := decodeLine(line)
		var next machine.State
		if err == nil {
			next, err = opts.Apply(a.State, e)
		}
		if err != nil {
			why := fmt.Sprintf("event %s cannot have happened there: %v", e.Type, err)
			return &UnreadableError{Path: path, Offset: offset, Why: why, Err: err}
		}
		ledger.Take(a.State, e, next)
		files.take(a.State, e, next)
		a.State, a.Events = next, rev
		copies.reached(next)
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && found.last == 0:
		if len(copies) > 0 {
			return a, ErrNoJournal
		}
		return a, noSession(dir, opts.Disk)
	case err != nil:
		return a, err
	case found.torn > 0:
		a.say("the last entry of %s was cut off (%d bytes); the next run removes it", journalName, found.torn)
	}
	a.Claims, a.Proofs, a.Dispatches = ledger.Claims, ledger.Proofs, ledger.Dispatches
	copies.judge(&a)
	a.lookAtOutputs(dir)
	a.lookAtAttempts(dir)
	a.lookAtRecords(dir, files)
	return a, nil
}

// snapshotCopy is a snapshot's file, and what the journal says at its revision.
type snapshotCopy struct {
	name   string
	state  machine.State
	err    error
	replay *machine.State
}

type snapshotCopies []*snapshotCopy

func (a *Audited) readCopies(dir string, opts Options) (snapshotCopies, error) {
	var copies snapshotCopies
	for _, name := range []string{snapshotName, backupName} {
		path := join(dir, name)
		file, err := opts.Disk.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the state: %w", err)
		}
		c := &snapshotCopy{name: name}
		c.state, c.err = decodeSnapshot(path, file)
		var newer *NewerError
		if errors.As(c.err, &newer) {
			return nil, c.err
		}
		if errors.Is(c.err, errOlder) && hasCopy(opts.Disk, dir, file) {
			continue // the one that the journal was begun from
		}
		copies = append(copies, c)
	}
	return copies, nil
}

// reached keeps the replayed state where a copy was written.
func (all snapshotCopies) reached(s machine.State) {
	for _, c := range all {
		if c.err == nil && c.state.Revision == s.Revision {
			c.replay = &s
		}
	}
}

// judge holds each copy against the journal.
func (all snapshotCopies) judge(a *Audited) {
	if !slices.ContainsFunc(all, func(c *snapshotCopy) bool { return c.name == snapshotName }) {
		a.problem(AuditState, snapshotName, "nothing is lost: the next run writes it anew from the journal", "it is not there")
	}
	for _, c := range all {
		switch {
		case c.err != nil:
			a.problem(AuditState, c.name, "it says nothing; the journal decides, and the next run sets it aside", "%v", c.err)
		case c.state.Revision > a.Events:
			a.problem(AuditState, journalName, "entries at the end of the journal are missing",
				"it ends at revision %d, and %s is at revision %d", a.Events, c.name, c.state.Revision)
		case c.replay == nil:
			a.problem(AuditState, c.name, "it does not come from this journal", "the journal has no revision %d", c.state.Revision)
		default:
			c.compare(a)
		}
	}
}
