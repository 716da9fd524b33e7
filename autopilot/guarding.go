package autopilot

import "autopilot/autopilot/machine"

// mark has the session's files watched while a dispatch runs.
func (e *Engine) mark(id string) error {
	if e.main != nil {
		return e.main.mark(id)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.lanes.marked) > 0 {
		e.lanes.marked[id] = true
		for other := range e.lanes.marked {
			e.lanes.marked[other] = true
		}
		return nil
	}
	e.lanes.marked[id] = false
	return e.Seal.Mark()
}

// unmark ends the time of a dispatch.
func (e *Engine) unmark(id string) {
	if e.main != nil {
		e.main.unmark(id)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.lanes.marked, id)
}

// blame says how much what was done to something that all working trees share weighs, and who did it: while several
// agents were at work it is put back and told, and no single one is blamed.
func (e *Engine) blame(id string) (severity, who string) {
	if e.main != nil {
		return e.main.blame(id)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.lanes.marked[id] {
		return machine.Important, "one of the agents at work"
	}
	return machine.Critical, "the agent"
}

// intact puts the session's own files back where somebody changed them, and names them.
func (e *Engine) intact(id string) ([]string, error) {
	if e.main != nil {
		return e.main.intact(id)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	altered, err := e.Seal.Intact()
	others := len(e.lanes.marked)
	if _, own := e.lanes.marked[id]; own {
		others--
	}
	if err == nil && others > 0 {
		err = e.Seal.Mark()
	}
	return altered, err
}
