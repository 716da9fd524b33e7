package attempts

import (
	"cmp"
	"context"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// OverBudget is the budget, or the known limit, that keeps a session from dispatching anybody now; nil where none does.
func OverBudget(s machine.State, limits budget.Limits, now time.Time) *budget.LimitError {
	step, task := machine.Next(s), ""
	if is, _ := step.Dispatching(); is || step.Name == machine.StepPick {
		task = step.Task
	}
	if limit := budget.Spent(budget.Budgets(s, limits, task)); limit != nil {
		return limit
	}
	return budget.KnownLimit(s, s.LimitedBackend, now)
}

// Player is the backend that plays a persona now. One whose limit is known to hold is not asked before it is over: another
// takes its place, or there is a *LimitError.
func (ats Attempts) Player(p personas.Persona) (personas.Backend, string, error) {
	for {
		backend, name, err := ats.Backends.For(p)
		if err != nil {
			return nil, "", err
		}
		limit := budget.KnownLimit(ats.Journal.State(), name, ats.Now())
		if limit == nil {
			return backend, name, nil
		}
		next, _, free := ats.Backends.Limited(p, name, limit.Until)
		if !free {
			return nil, "", cmp.Or(budget.KnownLimit(ats.Journal.State(), next, ats.Now()), limit)
		}
		ats.Journal.Note("warning", personas.Sentences(limit.Error(), "Going on with backend "+next))
	}
}

// WithinBudget refuses a dispatch for a task that a budget does not allow; "" is one without a task.
func (ats Attempts) WithinBudget(s machine.State, task string) error {
	budgets := budget.Budgets(s, ats.Settings.Limits, task)
	if limit := budget.Spent(ats.Journal.Expecting("", budgets)); limit != nil {
		return limit
	}
	ats.warnOf(budgets)
	return nil
}

// warnOf tells once of each budget that is nearly used up.
func (ats Attempts) warnOf(budgets []budget.Budget) {
	for _, b := range budgets {
		if text, near := b.Warning(); near && ats.Journal.WarnOnce(b.Name) {
			ats.Journal.Report.Report(journal.Note{Event: "warning", Text: text, Fields: map[string]any{"budget": b.Name}})
		}
	}
}

// LimitSpending has a dispatch end once one of its budgets is used up, and counts its calls towards them; as says for what.
func (ats Attempts) LimitSpending(ctx context.Context, d *personas.Dispatch, budgets func() []budget.Budget, as machine.Event) (limited context.Context, end func()) {
	id := d.ID
	limited, check, release := budget.GuardSpending(ctx, func() []budget.Budget { return ats.Journal.Expecting(id, budgets()) })
	d.OnUsage = func(u personas.Usage) {
		ats.Journal.Used(u, id, as)
		ats.warnOf(budgets())
		check()
	}
	return limited, func() {
		release()
		ats.Journal.SettleUsed()
	}
}
