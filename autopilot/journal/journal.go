package journal

import (
	"cmp"
	"errors"
	"sync"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Journal is a session as it goes on.
type Journal struct {
	Store  Store
	Files  Files
	Report Reporter
	Mask   *personas.Mask // takes secrets out of what is told; may be nil
	Now    func() time.Time
	Watch  Watcher // may be nil

	task string // of a journal for a lane
	run  *run
	home *Journal // of a journal for a lane: the one that it was made of; nil: there is none
}

// run is what is known of a run beside its session. All working trees share it.
type run struct {
	mu     sync.Mutex
	warned map[string]bool // of what
	clock  clockSeen
	calls  map[string]machine.Usage // the last one of each dispatch; "": of any
	owed   []machine.Event          // what model calls cost that the journal did not take
}

// New is the journal of a session.
func New(store Store, files Files, report Reporter, mask *personas.Mask, now func() time.Time) *Journal {
	return &Journal{Store: store, Files: files, Report: report, Mask: mask, Now: now, run: &run{}}
}

// For is the same journal for the working tree of a task: what is told there begins with the task's name.
func (j *Journal) For(task string) *Journal {
	its := *j
	its.Report, its.task, its.home = tagged{j.Report, task}, task, cmp.Or(j.home, j)
	return &its
}

// Quiet is a lock: while it is held nothing is journaled.
func (j *Journal) Quiet() sync.Locker { return &j.run.mu }

// State is what the session is now.
func (j *Journal) State() machine.State { return j.Store.State() }

// Phase is the current phase, as the session has it.
func (j *Journal) Phase() machine.Phase {
	s := j.State()
	return s.Phases[s.CurrentPhase]
}

// Apply journals an event, then tells the world what it changed. Model calls report their usage from other goroutines,
// hence the lock.
func (j *Journal) Apply(ev machine.Event) error {
	return j.ApplyWith(func(string) (machine.Event, error) { return ev, nil })
}

// ApplyWith makes the event once its key is certain: no other event comes between. Where the store is shared with other machines and
// one of them was faster, the event is made again. What an event tells names its task by itself, where it has to.
func (j *Journal) ApplyWith(make func(key string) (machine.Event, error)) error {
	if j.home != nil {
		return j.home.ApplyWith(make)
	}
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	j.recordOwed()
	for {
		before := j.State()
		ev, err := make(machine.Key(before.SessionID, before.Revision+1))
		if err != nil {
			return err
		}
		err = j.enter(before, ev)
		if _, late := errors.AsType[*machine.StaleEventError](err); !late || j.State().Revision == before.Revision {
			return err
		}
	}
}

// enter journals an event and tells of it; the lock is held.
func (j *Journal) enter(before machine.State, ev machine.Event) error {
	j.lookAtClock(before)
	after, err := j.Store.Apply(ev)
	if err != nil {
		return err
	}
	j.observe(before, after, ev)
	return nil
}

// WarnOnce says whether nobody was warned of something in this run.
func (j *Journal) WarnOnce(what string) bool {
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	if j.run.warned == nil {
		j.run.warned = map[string]bool{}
	}
	first := !j.run.warned[what]
	j.run.warned[what] = true
	return first
}
