package sessions

import (
	"crypto/sha256"

	"autopilot/autopilot/machine"
)

// snapshotEvery is how many events a snapshot may lag behind while the session stays at one step.
const snapshotEvery = 64

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
