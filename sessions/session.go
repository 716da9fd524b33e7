package sessions

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/format"
	"autopilot/sessions/learnings"
	"autopilot/sessions/legacy"
	"autopilot/sessions/storage"
)

// Options are what a session needs from outside.
type Options struct {
	// Now is the clock; it is needed wherever something is written.
	Now func() time.Time
	// Apply is the core; transition.Apply when nil.
	Apply func(machine.State, machine.Event) (machine.State, error)
	// Disk is where journal and snapshot lie; the operating system's when nil.
	Disk storage.Disk
	// StartingCommit finds the commit that an imported session began at, where its file names none. Nil: it stays open.
	StartingCommit func() (string, error)
	// Spec reads the spec that an imported session names; path is "" where its file names none. Beside an error it may
	// give the path and the slug. Nil: the file alone has to do.
	Spec func(path string) (legacy.SpecText, error)
}

// sources are what an import asks.
func (o Options) sources() legacy.Sources {
	return legacy.Sources{Now: o.Now, StartingCommit: o.StartingCommit, Spec: o.Spec}
}

func (o Options) withDefaults() Options {
	if o.Apply == nil {
		o.Apply = transition.Apply
	}
	if o.Disk == nil {
		o.Disk = storage.OSDisk{}
	}
	return o
}

// Session is a session that this process holds. Its methods must not be called at the same time.
type Session struct {
	dir     string
	opts    Options
	lock    *storage.Lock
	journal *journal
	look    sync.RWMutex // guards state: one goroutine at a time applies events, any may look
	state   machine.State
	unknown *format.Kept
	repairs []string
	pending int       // events since the last snapshot was begun
	saved   int64     // where the journal ended then
	broken  error     // set once the disk refused an event
	last    time.Time // of the last event of this process, with the reading of the clock that only runs while the machine does
	asked   time.Time // the same of the event that is being applied
	logs    *storage.AppendLogs
	shown   *projections

	marked []byte // the journal at Mark

	late   error             // why the last snapshot failed
	whole  [sha256.Size]byte // sum of the snapshot that was last written or read
	begun  [sha256.Size]byte // sum of the one that was last begun: the disk may have refused it
	length int               // of the one that was last begun
}

// Create begins a session in dir (.harness/sessions/<slug>): it takes the lock and records the first event, whose Rev
// and Time it fills. Errors: ErrSessionExists, *storage.LockedError, *plainfile.LinkError, those of transition.Apply and of the disk.
func Create(dir string, first machine.Event, opts Options) (*Session, error) {
	opts = opts.withDefaults()
	if err := plainFolders(opts.Disk, dir); err != nil { // before a folder is made behind a link
		return nil, err
	}
	harness := filepath.Dir(filepath.Dir(dir)) // open to whoever may see the repository: see plainfile.MakeFolder
	if err := errors.Join(opts.Disk.MkdirAll(harness, 0o755), opts.Disk.MkdirAll(dir, plainfile.PrivateFolder)); err != nil {
		return nil, fmt.Errorf("making the session's folder: %w", err)
	}
	s, err := hold(dir, opts)
	if err != nil {
		return nil, err
	}
	if err := s.begin(first); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// Open takes up a recorded session: it takes the lock, recovers the state from snapshot and journal, and repairs what
// a crash left behind. A session of an older program, which has no journal, is imported. Errors: ErrNoSession,
// *storage.LockedError, *plainfile.LinkError, *UnreadableError, *NewerError, *JournalError and those of the disk; none of the first five
// changes a file, but a state that cannot be read and has no journal is moved aside.
func Open(dir string, opts Options) (*Session, error) {
	opts = opts.withDefaults()
	if _, err := opts.Disk.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoSession
	}
	s, err := hold(dir, opts)
	if err != nil {
		return nil, err
	}
	if err := s.recover(); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// Read gives the state of a session without its lock and without writing, while another process may be writing. One of
// an older program reads as it will after its import. The second result says in plain words what Open would repair.
func Read(dir string, opts Options) (machine.State, []string, error) {
	opts = opts.withDefaults()
	if err := plainSession(opts.Disk, dir); err != nil {
		return machine.State{}, nil, err
	}
	f, err := look(dir, opts, true)
	if err != nil {
		return machine.State{}, nil, err
	}
	return f.state, f.notes(), nil
}

func hold(dir string, opts Options) (*Session, error) {
	if opts.Now == nil {
		return nil, errors.New("a session needs a clock (Options.Now)")
	}
	if err := plainSession(opts.Disk, dir); err != nil {
		return nil, err
	}
	// An older program made it for everybody to read. Behind a private folder the modes of its files do not matter; where it
	// is somebody else's, theirs stays.
	_ = os.Chmod(dir, plainfile.PrivateFolder)
	lock, err := storage.LockTree(join(dir, storage.LockName), opts.Now)
	if err != nil {
		return nil, err
	}
	return &Session{dir: dir, opts: opts, lock: lock, logs: storage.NewAppendLogs(opts.Disk), shown: &projections{dir: dir, disk: opts.Disk, written: map[string][]byte{}, owed: map[string]projection{}}}, nil
}

// begin records the first event. A journal without a whole line is what a kill in here leaves, and is taken over.
func (s *Session) begin(first machine.Event) error {
	if _, err := look(s.dir, s.opts, false); err == nil {
		return ErrSessionExists
	} else if !errors.Is(err, ErrNoSession) {
		return err
	}
	line, next, err := s.applied(first)
	if err != nil {
		return err
	}
	if s.journal, err = openJournal(s.opts.Disk, join(s.dir, JournalName), 0); err != nil {
		return err
	}
	if err := errors.Join(s.settle(), s.settleAbove()); err != nil {
		return err
	}
	if err := s.journal.append(line); err != nil {
		return err
	}
	s.take(next, dueNow)
	return nil
}

// State is the present state. It shares memory with the session and must not be changed.
func (s *Session) State() machine.State {
	s.look.RLock()
	defer s.look.RUnlock()
	return s.state
}

// Repairs says in plain words, for people, what Open repaired.
func (s *Session) Repairs() []string { return s.repairs }

// Dir is the session's folder.
func (s *Session) Dir() string { return s.dir }

// Learnings are what the session learned, and what it has in common with others of its .harness folder.
func (s *Session) Learnings() learnings.Files {
	return learnings.Of(s.dir, filepath.Dir(filepath.Dir(s.dir)), s.opts.Disk, s.logs.Add)
}

// Folders are where the session keeps the work of its dispatches.
func (s *Session) Folders() Folders { return Folders{s.dir} }

// LockFile is the open lock file, for the supervisor of child processes: what inherits it keeps the session locked.
func (s *Session) LockFile() *os.File { return s.lock.File() }

// Apply records an event and returns the state that it leads to. It fills Rev where it is 0, and Time where it is zero
// (from the clock); Time never goes back: where the clock was set back, it goes on from the last event's. An event that
// the core refuses leaves everything as it was. After a *JournalError the session takes no more events.
func (s *Session) Apply(e machine.Event) (machine.State, error) {
	if s.broken != nil {
		return s.state, s.broken
	}
	line, next, err := s.applied(e)
	if err != nil {
		return s.state, err
	}
	if err := s.journal.append(line); err != nil {
		if _, ok := errors.AsType[*JournalError](err); ok {
			s.broken = err
		}
		return s.state, err
	}
	opened := next.Gate != nil && (s.state.Gate == nil || s.state.Gate.ID != next.Gate.ID)
	s.take(next, elsewhere(s.state, next))
	if opened {
		s.refuseEarly(e.Answer)
	}
	return s.state, nil
}

// applied encodes an event and applies it as a replay would see it, so that the live state is the recovered one.
func (s *Session) applied(e machine.Event) ([]byte, machine.State, error) {
	if e.Time.IsZero() {
		e.Time, e.Slept = s.goesOn(s.opts.Now())
	}
	line, err := encodeLine(s.state.Stamp(e))
	if err != nil {
		return nil, s.state, err
	}
	if e, err = decodeLine(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
		return nil, s.state, fmt.Errorf("reading event %s back: %w", e.Type, err)
	}
	next, err := s.opts.Apply(s.state, e)
	return line, next, err
}

// Close writes the snapshot if it lags behind, and what logs and projections still owe, and frees the lock.
func (s *Session) Close() error {
	s.logs.Settle()
	s.shown.drawOwed()
	if s.broken == nil && (s.late != nil || s.pending > 0) {
		s.save()
	}
	return s.release()
}

func (s *Session) release() error {
	var err error
	if s.journal != nil {
		err = s.journal.file.Close()
		s.journal = nil
	}
	if s.broken == nil {
		s.broken = errors.New("the session is closed")
	}
	return errors.Join(err, s.lock.Close())
}
