package sessions

import (
	"crypto/sha256"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions/format"
)

// snapshotEvery is how many events a snapshot may lag behind.
const snapshotEvery = 64

// snapshotShare bounds what is written: between two phases, states and gates the snapshot is written again once it is no
// more than so many times as long as what the journal gained meanwhile. A short one follows each step; a long one, of a
// session with hundreds of tasks, lags behind by a few.
const snapshotShare = 32

// due says when the snapshot follows an event.
type due int

const (
	dueLater due = iota // with a later event
	dueSoon             // with this one, if it is short
	dueNow
)

// take makes next the present state, and writes the snapshot when it is due. An error there is no error of the event.
func (s *Session) take(next machine.State, when due) {
	s.look.Lock()
	s.state = next
	s.look.Unlock()
	s.last = s.asked
	s.pending++
	if when == dueNow || when == dueSoon && s.isShort() || s.pending >= snapshotEvery || s.late != nil {
		s.save()
	}
}

// isShort says whether the last snapshot is short beside what the journal gained since.
func (s *Session) isShort() bool {
	return int64(s.length) <= snapshotShare*(s.journal.end-s.saved)
}

// save writes the snapshot of the present state.
func (s *Session) save() {
	s.pending, s.saved = 0, s.journal.end
	file, err := format.Encode(s.state, s.unknown)
	if err == nil {
		err = writeSnapshot(s.opts.Disk, s.dir, file)
	}
	if s.late = err; file == nil {
		return
	}
	s.length = len(file)
	if s.begun = sha256.Sum256(file); err == nil {
		s.whole = s.begun
	}
}

// elsewhere says when the snapshot is due after an event: at once in another phase, state or gate, or with something
// decided; soon at another step, task or dispatch. What only counts (a model call that was paid for) can wait, and so can
// the commit that is about to be made.
func elsewhere(a, b machine.State) due {
	type place struct {
		state                               machine.Name
		phase, runs, decisions, history, on int
		gate                                string
	}
	of := func(s machine.State) place {
		p := place{state: s.CurrentState, phase: s.CurrentPhase, runs: s.Runs, decisions: len(s.Decisions), history: len(s.History), on: len(s.Suspended)}
		if s.Gate != nil {
			p.gate = s.Gate.ID
		}
		return p
	}
	switch {
	case of(a) != of(b):
		return dueNow
	case a.Step != b.Step || a.CurrentTask != b.CurrentTask || dispatches(a) != dispatches(b):
		return dueSoon
	}
	return dueLater
}

// dispatches is how many are under way.
func dispatches(s machine.State) int {
	n := 0
	for _, f := range s.InFlight {
		if f.Dispatch != nil {
			n++
		}
	}
	return n
}

// Late is why the last snapshot could not be written; nil when it was. Nothing is lost: the journal has all events, and
// the next snapshot heals it.
func (s *Session) Late() error { return s.late }

// goesOn is the time of an event for what the clock says now, and for how long nobody ran since the one before.
func (s *Session) goesOn(now time.Time) (at time.Time, asleep float64) {
	var ran time.Duration
	switch s.asked = now; {
	case !s.last.IsZero():
		ran = now.Sub(s.last)
		asleep = slept(now.Round(0).Sub(s.last.Round(0)), ran)
	case !s.state.UpdatedAt.IsZero(): // the one before is another process's, which has ended
		asleep = slept(now.Round(0).Sub(s.state.UpdatedAt), 0)
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
