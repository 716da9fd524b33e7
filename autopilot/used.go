package autopilot

import (
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// used journals what a model call of a dispatch cost, for the task or the phase that an event names, if any. What the
// journal does not take is owed: it was paid for, and budgets have to count it.
func (e *Engine) used(u personas.Usage, id string, as machine.Event) {
	as.Type = machine.Used
	as.Usage = &machine.Usage{InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
	e.called(id, *as.Usage)
	if err := e.apply(as); err != nil {
		e.owe(as)
		e.note("warning", "A model call could not be recorded, and is with the next event: "+err.Error())
	}
}

func (e *Engine) owe(ev machine.Event) {
	if e.main != nil {
		e.main.owe(ev)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.owed = append(e.owed, ev)
}

// recordOwed journals what is owed, as far as the journal takes it, before another event: the end of a dispatch comes after
// what its calls cost, and the next phase after what was used in this one. e.mu is held.
func (e *Engine) recordOwed() {
	for len(e.owed) > 0 && e.enter(e.Store.State(), e.owed[0]) == nil {
		e.owed = e.owed[1:]
	}
}

// settleUsed journals what is owed where no other event may come.
func (e *Engine) settleUsed() {
	if e.main != nil {
		e.main.settleUsed()
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.recordOwed()
}
