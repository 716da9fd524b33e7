package autopilot

import (
	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
)

// called notes what a call of a dispatch used. Each of its later calls is likely to use as much, and so is the first one
// of a dispatch that comes after it.
func (e *Engine) called(id string, u machine.Usage) {
	if e.main != nil {
		e.main.called(id, u)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.calls == nil {
		e.calls = map[string]machine.Usage{}
	}
	e.calls[id], e.calls[""] = u, u
}

// expecting adds to budgets what the calls of the dispatches in flight are likely to use, besides those of one of them.
// So a budget is overshot by one call, and not by one for each task at work.
func (e *Engine) expecting(besides string, budgets []budget.Budget) []budget.Budget {
	return budget.WithLikely(budgets, e.likely(besides))
}

func (e *Engine) likely(besides string) (sum machine.Usage) {
	if e.main != nil {
		return e.main.likely(besides)
	}
	s := e.state()
	e.mu.Lock()
	defer e.mu.Unlock()
	usual, ok := e.calls[""]
	if !ok {
		usual = mean(s)
	}
	for _, d := range s.Flights() {
		if d.ID == besides || d.At.IsZero() { // one without a time was cut off in an earlier run
			continue
		}
		last, ok := e.calls[d.ID]
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
