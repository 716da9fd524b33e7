package autopilot

import (
	"sync"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
)

// atWork are the dispatches at work in all working trees.
type atWork struct {
	seal   Seal
	mu     sync.Locker     // the journal's: the seal reads what the journal writes
	marked map[string]bool // dispatches whose time the session's seal watches over; true: others were at work meanwhile
}

func newAtWork(seal Seal, j *journal.Journal) *atWork {
	return &atWork{seal: seal, mu: j.Quiet(), marked: map[string]bool{}}
}

// runs says whether a dispatch is at work; "" is any.
func (a *atWork) runs(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, runs := a.marked[id]
	return runs || id == "" && len(a.marked) > 0
}

// mark has the session's files watched while a dispatch runs.
func (a *atWork) mark(id string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.marked) > 0 {
		a.marked[id] = true
		for other := range a.marked {
			a.marked[other] = true
		}
		return nil
	}
	a.marked[id] = false
	return a.seal.Mark()
}

// unmark ends the time of a dispatch.
func (a *atWork) unmark(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.marked, id)
}

// blame says how much what was done to something that all working trees share weighs, and who did it: while several
// agents were at work it is put back and told, and no single one is blamed.
func (a *atWork) blame(id string) (severity, who string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.marked[id] {
		return machine.Important, "one of the agents at work"
	}
	return machine.Critical, "the agent"
}

// intact puts the session's own files back where somebody changed them, and names them.
func (a *atWork) intact(id string) ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	altered, err := a.seal.Intact()
	others := len(a.marked)
	if _, own := a.marked[id]; own {
		others--
	}
	if err == nil && others > 0 {
		err = a.seal.Mark()
	}
	return altered, err
}
