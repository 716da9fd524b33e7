package tasks

import (
	"context"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// spending holds a run to its budgets.
type spending struct {
	progress
	limits budget.Limits
	now    func() time.Time
	spent  *spent
}

// spent is what a run used, and which budgets it was told of.
type spent struct {
	used   machine.Usage
	began  time.Time
	waited time.Duration            // for limits of backends to end
	on     map[string]machine.Spent // by task
	how    measured
	flight time.Time       // when the dispatch at work began; zero: none is
	warned map[string]bool // of which budgets, by name
}

// beginSpending begins the budgets, unless the run goes on as another worker and has spent of them already.
func (s spending) beginSpending() {
	if s.spent.began.IsZero() {
		*s.spent = spent{began: s.now()}
	}
}

// budgets are those that a dispatch for a task counts towards.
func (s spending) budgets(task string) []budget.Budget {
	now, on := s.now(), s.spent.on[task]
	if !s.spent.flight.IsZero() {
		on.Seconds += now.Sub(s.spent.flight).Seconds()
	}
	whole := machine.Spent{Usage: s.spent.used, Seconds: (now.Sub(s.spent.began) - s.spent.waited).Seconds()}
	return budget.BudgetsOf(s.limits, whole, task, on)
}

// spend counts what was used for a task.
func (s spending) spend(task string, u machine.Usage, took time.Duration) {
	if s.spent.on == nil {
		s.spent.on, s.spent.warned = map[string]machine.Spent{}, map[string]bool{}
	}
	s.spent.used = s.spent.used.Plus(u)
	on := s.spent.on[task]
	on.Usage, on.Seconds = on.Usage.Plus(u), on.Seconds+took.Seconds()
	s.spent.on[task] = on
	for _, b := range s.budgets(task) {
		if text, near := b.Warning(); near && !s.spent.warned[b.Name] {
			s.spent.warned[b.Name] = true
			s.say("warning", "%s", text)
		}
	}
}

// withinBudget refuses a dispatch that a budget does not allow, and else counts it.
func (s spending) withinBudget(task string) error {
	if over := budget.Spent(s.budgets(task)); over != nil {
		return over
	}
	s.spend(task, machine.Usage{Dispatches: 1}, 0)
	return nil
}

// guard has a dispatch end once a budget is used up, and counts its calls; end counts its time.
func (s spending) guard(ctx context.Context, d *personas.Dispatch, task string) (limited context.Context, end func()) {
	s.spent.flight = s.now()
	limited, check, release := budget.GuardSpending(ctx, func() []budget.Budget { return s.budgets(task) })
	d.OnUsage = func(u personas.Usage) {
		s.spend(task, machine.Usage{InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}, 0)
		check()
	}
	return limited, func() {
		release()
		took := s.now().Sub(s.spent.flight)
		s.spent.flight = time.Time{}
		s.spend(task, machine.Usage{}, took)
	}
}

// waitOut waits where a run ended by a limit that is over soon enough. That is no running time.
func (s spending) waitOut(ctx context.Context, patience *budget.Patience, ended error) (bool, error) {
	before := s.now()
	again, err := patience.Wait(ctx, ended)
	s.spent.waited += s.now().Sub(before)
	return again, err
}
