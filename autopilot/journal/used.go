package journal

import (
	"cmp"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Used journals what a model call of a dispatch cost, for the task or the phase that an event names, if any. What the
// journal does not take is owed: it was paid for, and budgets have to count it.
func (j *Journal) Used(u personas.Usage, id string, as machine.Event) {
	as.Type = machine.Used
	as.Usage = &machine.Usage{InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}
	j.called(id, *as.Usage)
	if err := j.Apply(as); err != nil {
		j.owe(as)
		j.Note("warning", "A model call could not be recorded, and is with the next event: "+err.Error())
	}
}

func (j *Journal) owe(ev machine.Event) {
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	j.run.owed = append(j.run.owed, ev)
}

// recordOwed journals what is owed, as far as the journal takes it, before another event: the end of a dispatch comes after
// what its calls cost, and the next phase after what was used in this one. The lock is held.
func (j *Journal) recordOwed() {
	for len(j.run.owed) > 0 && j.enter(j.State(), j.run.owed[0]) == nil {
		j.run.owed = j.run.owed[1:]
	}
}

// SettleUsed journals what is owed where no other event may come.
func (j *Journal) SettleUsed() {
	j = cmp.Or(j.home, j)
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	j.recordOwed()
}

// called notes what a call of a dispatch used. Each of its later calls is likely to use as much, and so is the first one
// of a dispatch that comes after it.
func (j *Journal) called(id string, u machine.Usage) {
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	if j.run.calls == nil {
		j.run.calls = map[string]machine.Usage{}
	}
	j.run.calls[id], j.run.calls[""] = u, u
}

// Expecting adds to budgets what the calls of the dispatches in flight are likely to use, besides those of one of them.
// So a budget is overshot by one call, and not by one for each task at work.
func (j *Journal) Expecting(besides string, budgets []budget.Budget) []budget.Budget {
	return budget.WithLikely(budgets, j.likely(besides))
}

func (j *Journal) likely(besides string) (sum machine.Usage) {
	s := j.State()
	j.run.mu.Lock()
	defer j.run.mu.Unlock()
	usual, ok := j.run.calls[""]
	if !ok {
		usual = mean(s)
	}
	for _, d := range s.Flights() {
		if d.ID == besides || d.At.IsZero() { // one without a time was cut off in an earlier run
			continue
		}
		last, ok := j.run.calls[d.ID]
		if !ok {
			last = usual
		}
		sum = sum.Plus(last)
	}
	return sum
}

// mean is what a call used in earlier runs of the session; zero where there was none.
func mean(s machine.State) machine.Usage {
	n := s.Metrics.Turns
	if n == 0 {
		return machine.Usage{}
	}
	return machine.Usage{InputTokens: s.Usage.InputTokens / n, OutputTokens: s.Usage.OutputTokens / n, CostUSD: s.Usage.CostUSD / float64(n)}
}
