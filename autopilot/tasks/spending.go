package tasks

import (
	"context"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// spending is what a run used, and which budgets it was told of.
type spending struct {
	used   machine.Usage
	began  time.Time
	waited time.Duration            // for limits of backends to end
	on     map[string]machine.Spent // by task
	flight time.Time                // when the dispatch at work began; zero: none is
	warned map[string]bool          // of which budgets, by name
}

// beginSpending begins the budgets, unless the run goes on as another worker and has spent of them already.
func (l *Loop) beginSpending() {
	if l.spent.began.IsZero() {
		l.spent = spending{began: l.Now()}
	}
}

// budgets are those that a dispatch for a task counts towards.
func (l *Loop) budgets(task string) []budget.Budget {
	now, on := l.Now(), l.spent.on[task]
	if !l.spent.flight.IsZero() {
		on.Seconds += now.Sub(l.spent.flight).Seconds()
	}
	whole := machine.Spent{Usage: l.spent.used, Seconds: (now.Sub(l.spent.began) - l.spent.waited).Seconds()}
	return budget.BudgetsOf(l.Settings.Limits, whole, task, on)
}

// spend counts what was used for a task.
func (l *Loop) spend(task string, u machine.Usage, took time.Duration) {
	if l.spent.on == nil {
		l.spent.on, l.spent.warned = map[string]machine.Spent{}, map[string]bool{}
	}
	l.spent.used = l.spent.used.Plus(u)
	on := l.spent.on[task]
	on.Usage, on.Seconds = on.Usage.Plus(u), on.Seconds+took.Seconds()
	l.spent.on[task] = on
	for _, b := range l.budgets(task) {
		if text, near := b.Warning(); near && !l.spent.warned[b.Name] {
			l.spent.warned[b.Name] = true
			l.say("warning", "%s", text)
		}
	}
}

// withinBudget refuses a dispatch that a budget does not allow, and else counts it.
func (l *Loop) withinBudget(task string) error {
	if over := budget.Spent(l.budgets(task)); over != nil {
		return over
	}
	l.spend(task, machine.Usage{Dispatches: 1}, 0)
	return nil
}

// guard has a dispatch end once a budget is used up, and counts its calls; end counts its time.
func (l *Loop) guard(ctx context.Context, d *personas.Dispatch, task string) (limited context.Context, end func()) {
	l.spent.flight = l.Now()
	limited, check, release := budget.GuardSpending(ctx, func() []budget.Budget { return l.budgets(task) })
	d.OnUsage = func(u personas.Usage) {
		l.spend(task, machine.Usage{InputTokens: u.InputTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD}, 0)
		check()
	}
	return limited, func() {
		release()
		took := l.Now().Sub(l.spent.flight)
		l.spent.flight = time.Time{}
		l.spend(task, machine.Usage{}, took)
	}
}

// waitOut waits where a run ended by a limit that is over soon enough. That is no running time.
func (l *Loop) waitOut(ctx context.Context, patience *budget.Patience, ended error) (bool, error) {
	before := l.Now()
	again, err := patience.Wait(ctx, ended)
	l.spent.waited += l.Now().Sub(before)
	return again, err
}
