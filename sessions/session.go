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
)

const lockName = "lock"

// snapshotEvery is how many events a snapshot may lag behind while the session stays at one step.
const snapshotEvery = 64

// Options are what a session needs from outside.
type Options struct {
	// Now is the clock; it is needed wherever something is written.
	Now func() time.Time
	// Apply is the core; machine.Apply when nil.
	Apply func(machine.State, machine.Event) (machine.State, error)
	// Disk is where journal and snapshot lie; the operating system's when nil.
	Disk Disk
	// Behind has snapshots and projections written while the session goes on; they follow the journal, which is waited
	// for. A Disk is then used by two goroutines.
	Behind bool
	// StartingCommit finds the commit that an imported session began at, where its file names none. Nil: it stays open.
	StartingCommit func() (string, error)
	// Spec reads the spec that an imported session names; path is "" where its file names none. Beside an error it may
	// give the path and the slug. Nil: the file alone has to do.
	Spec func(path string) (SpecText, error)
}

func (o Options) withDefaults() Options {
	if o.Apply == nil {
		o.Apply = machine.Apply
	}
	if o.Disk == nil {
		o.Disk = OSDisk{}
	}
	return o
}

// Session is a session that this process holds. Its methods must not be called at the same time.
type Session struct {
	dir     string
	opts    Options
	lock    *Lock
	journal *journal
	look    sync.RWMutex // guards state: one goroutine at a time applies events, any may look
	state   machine.State
	unknown *kept
	repairs []string
	pending int        // events since the last snapshot was begun
	broken  error      // set once the disk refused an event
	last    time.Time  // of the last event of this process, with the reading of the clock that only runs while the machine does
	asked   time.Time  // the same of the event that is being applied
	pen     sync.Mutex // guards logs
	logs    map[string]*appendLog
	drawing sync.Mutex            // guards written and owed
	written map[string][]byte     // what told of a change when projections were last written
	owed    map[string]projection // could not be written

	marked *marked // the journal at Mark

	behind      behind
	wrote       sync.Mutex        // guards the rest
	late        error             // why the last snapshot failed
	whole       [sha256.Size]byte // sum of the snapshot that was last written or read
	begun       [sha256.Size]byte // sum of the one that was last begun: the disk may have refused it
	unprojected error             // why a projection failed
}

// Create begins a session in dir (.harness/sessions/<slug>): it takes the lock and records the first event, whose Rev
// and Time it fills. Errors: ErrSessionExists, *LockedError, *LinkError, those of machine.Apply and of the disk.
func Create(dir string, first machine.Event, opts Options) (*Session, error) {
	opts = opts.withDefaults()
	if err := plainFolders(opts.Disk, dir); err != nil { // before a folder is made behind a link
		return nil, err
	}
	if err := opts.Disk.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the session's folder: %w", err)
	}
	s, err := hold(dir, opts)
	if err != nil {
		return nil, err
	}
	if err := s.begin(first); err != nil {
		return nil, errors.Join(err, s.release())
	}
	s.behind.wait()
	return s, nil
}

// Open takes up a recorded session: it takes the lock, recovers the state from snapshot and journal, and repairs what
// a crash left behind. A session of an older program, which has no journal, is imported. Errors: ErrNoSession,
// *LockedError, *LinkError, *UnreadableError, *NewerError, *JournalError and those of the disk; none of the first five
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
	s.behind.wait() // until then an imported session's file is newer than its journal
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
	lock, err := takeLock(join(dir, lockName), opts.Now)
	if err != nil {
		return nil, err
	}
	return &Session{dir: dir, opts: opts, lock: lock, logs: map[string]*appendLog{}, written: map[string][]byte{}, owed: map[string]projection{}}, nil
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
	if s.journal, err = openJournal(s.opts.Disk, join(s.dir, journalName), 0); err != nil {
		return err
	}
	if err := errors.Join(s.settle(), s.settleAbove()); err != nil {
		return err
	}
	if err := s.journal.append(line); err != nil {
		return err
	}
	s.take(next, true)
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

// Late is why the last snapshot could not be written; nil when it was. Nothing is lost: the journal has all events, and
// the next snapshot heals it.
func (s *Session) Late() error {
	s.behind.wait()
	s.wrote.Lock()
	defer s.wrote.Unlock()
	return s.late
}

func (s *Session) isLate() bool {
	s.wrote.Lock()
	defer s.wrote.Unlock()
	return s.late != nil
}

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
		var lost *JournalError
		if errors.As(err, &lost) {
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
	if e.Rev == 0 {
		e.Rev = s.state.Revision + 1
	}
	if e.Time.IsZero() {
		e.Time = s.opts.Now()
		e.Time, e.Slept = s.goesOn(e.Time)
	}
	if e.Time.Before(s.state.UpdatedAt) {
		e.Time = s.state.UpdatedAt
	}
	e.Time = e.Time.UTC()
	line, err := encodeLine(e)
	if err != nil {
		return nil, s.state, err
	}
	if e, err = decodeLine(bytes.TrimSuffix(line, []byte{'\n'})); err != nil {
		return nil, s.state, fmt.Errorf("reading event %s back: %w", e.Type, err)
	}
	next, err := s.opts.Apply(s.state, e)
	return line, next, err
}

// goesOn is the time of an event for what the clock says now, and for how long nobody ran since the one before.
func (s *Session) goesOn(now time.Time) (at time.Time, asleep float64) {
	var ran time.Duration
	if s.asked = now; !s.last.IsZero() {
		ran = now.Sub(s.last)
		asleep = slept(now.Round(0).Sub(s.last.Round(0)), ran)
	}
	if now = now.Round(0); now.Before(s.state.UpdatedAt) { // the clock was set back
		return s.state.UpdatedAt.Add(max(0, ran)), asleep
	}
	return now, asleep
}

// slept is by how many whole seconds the clock on the wall went further than the one that only runs while the machine does.
func slept(wall, ran time.Duration) float64 {
	return max(0, (wall - ran).Truncate(time.Second).Seconds())
}

// take makes next the present state, and writes the snapshot when it is due. An error there is no error of the event.
func (s *Session) take(next machine.State, due bool) {
	s.look.Lock()
	s.state = next
	s.look.Unlock()
	s.last = s.asked
	s.pending++
	if due || s.pending >= snapshotEvery || s.isLate() {
		s.save()
	}
}

// save has the snapshot of the present state written.
func (s *Session) save() {
	state := s.state // no later event changes it
	s.pending = 0
	s.follow(snapshotName, func() { s.saveState(state) })
}

// follow writes a file that follows the journal, or has it written.
func (s *Session) follow(name string, write func()) {
	if s.opts.Behind {
		s.behind.ask(name, write)
		return
	}
	write()
}

func (s *Session) saveState(state machine.State) {
	file, err := encodeSnapshot(state, s.unknown)
	if err == nil {
		err = writeSnapshot(s.opts.Disk, s.dir, file)
	}
	s.wrote.Lock()
	defer s.wrote.Unlock()
	if s.late = err; file == nil {
		return
	}
	if s.begun = sha256.Sum256(file); err == nil {
		s.whole = s.begun
	}
}

// elsewhere says whether the session moved so that a snapshot is due: another step, gate, task, or something decided.
// What only counts (a model call that was paid for) can wait, and so can the commit that is about to be made.
func elsewhere(a, b machine.State) bool {
	type place struct {
		state                                           machine.Name
		step                                            machine.StepName
		phase, runs, decisions, history, dispatches, on int
		task, gate                                      string
	}
	of := func(s machine.State) place {
		p := place{
			state: s.CurrentState, step: s.Step, phase: s.CurrentPhase, runs: s.Runs, decisions: len(s.Decisions),
			history: len(s.History), on: len(s.Suspended), task: s.CurrentTask,
		}
		for _, f := range s.InFlight {
			if f.Dispatch != nil {
				p.dispatches++
			}
		}
		if s.Gate != nil {
			p.gate = s.Gate.ID
		}
		return p
	}
	return of(a) != of(b)
}

// Close writes the snapshot if it lags behind, and what logs and projections still owe, and frees the lock.
func (s *Session) Close() error {
	s.settleLogs()
	s.behind.wait()
	s.settleOwed()
	if s.broken == nil && (s.Late() != nil || s.pending > 0) {
		s.save()
	}
	return s.release()
}

// release frees the lock when nothing is being written any more.
func (s *Session) release() error {
	s.behind.end()
	s.drawing.Lock()
	clear(s.owed) // nothing is written without the lock
	s.drawing.Unlock()
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

func join(parts ...string) string { return filepath.Join(parts...) }
