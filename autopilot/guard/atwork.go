package guard

import (
	"sync"

	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/autopilot/workspace"
)

// Seal guards the files of a session that the program writes while a dispatch runs: Mark remembers what they are,
// Intact puts back what somebody else changed since, and names it.
type Seal interface {
	Mark() error
	Intact() (altered []string, err error)
}

// AtWork are the dispatches at work in all working trees.
type AtWork struct {
	seal     Seal
	mu       sync.Locker                // the journal's: the seal reads what the journal writes
	steering map[string]*plainfile.Held // what steers git in all working trees, as it is to be while dispatches run
	home     *workspace.Home            // the user's files, as the first of them met them
	marked   map[string]bool            // dispatches whose time the session's seal watches over; true: others were at work meanwhile
}

// NewAtWork begins with none.
func NewAtWork(seal Seal, j *journal.Journal) *AtWork {
	return &AtWork{seal: seal, mu: j.Quiet(), marked: map[string]bool{}}
}

// Mark has the session's files watched while a dispatch runs.
func (a *AtWork) Mark(id string) error {
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

// Unmark ends the time of a dispatch.
func (a *AtWork) Unmark(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.marked, id)
}

// homeFiles are the user's own files before a dispatch: those that an agent at work changed are told when one ends.
func (a *AtWork) homeFiles(repo *git.Repo) *workspace.Home {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.marked) == 0 || a.home == nil {
		a.home = workspace.ReadHome(repo.Config.UserFiles())
	}
	return a.home
}

// blame says how much what was done to something that all working trees share weighs, and who did it: while several
// agents were at work it is put back and told, and no single one is blamed.
func (a *AtWork) blame(id string) (severity, who string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.marked[id] {
		return machine.Important, "one of the agents at work"
	}
	return machine.Critical, "the agent"
}

// intact puts the session's own files back where somebody changed them, and names them.
func (a *AtWork) intact(id string) ([]string, error) {
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
