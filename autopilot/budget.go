package autopilot

import (
	"cmp"
	"context"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// OverBudget is the budget, or the known limit, that keeps a session from dispatching anybody now; nil where none does.
func OverBudget(s machine.State, set Settings, now time.Time) *budget.LimitError {
	step, task := machine.Next(s), ""
	if is, _ := step.Dispatching(); is || step.Name == machine.StepPick {
		task = step.Task
	}
	if limit := budget.Spent(budget.Budgets(s, set.Limits, task)); limit != nil {
		return limit
	}
	return budget.KnownLimit(s, s.LimitedBackend, now)
}

// player is the backend that plays a persona now. One whose limit is known to hold is not asked before it is over: another
// takes its place, or there is a *LimitError.
func (e *Engine) player(p personas.Persona) (personas.Backend, string, error) {
	for {
		backend, name, err := e.Backends.For(p)
		if err != nil {
			return nil, "", err
		}
		limit := budget.KnownLimit(e.Journal.State(), name, e.Now())
		if limit == nil {
			return backend, name, nil
		}
		next, _, free := e.Backends.Limited(p, name, limit.Until)
		if !free {
			return nil, "", cmp.Or(budget.KnownLimit(e.Journal.State(), next, e.Now()), limit)
		}
		e.Journal.Note("warning", personas.Sentences(limit.Error(), "Going on with backend "+next))
	}
}

// withinBudget refuses a dispatch for a task that a budget does not allow; "" is one without a task.
func (e *Engine) withinBudget(s machine.State, task string) error {
	budgets := budget.Budgets(s, e.Settings.Limits, task)
	if limit := budget.Spent(e.Journal.Expecting("", budgets)); limit != nil {
		return limit
	}
	e.warnOf(budgets)
	return nil
}

// warnOf tells once of each budget that is nearly used up.
func (e *Engine) warnOf(budgets []budget.Budget) {
	for _, b := range budgets {
		if text, near := b.Warning(); near && e.Journal.WarnOnce(b.Name) {
			e.Journal.Note("warning", text)
		}
	}
}

// limitSpending has a dispatch end once one of its budgets is used up, and counts its calls towards them; as says for what.
func (e *Engine) limitSpending(ctx context.Context, d *personas.Dispatch, budgets func() []budget.Budget, as machine.Event) (limited context.Context, end func()) {
	id := d.ID
	limited, check, release := budget.GuardSpending(ctx, func() []budget.Budget { return e.Journal.Expecting(id, budgets()) })
	d.OnUsage = func(u personas.Usage) {
		e.Journal.Used(u, id, as)
		e.warnOf(budgets())
		check()
	}
	return limited, func() {
		release()
		e.Journal.SettleUsed()
	}
}
