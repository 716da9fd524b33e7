package autopilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// tight is the part of a budget at which a warning comes.
const tight = 0.8

// spent says whether nothing is left, once what is at work has come to its end.
func (b Budget) spent() bool {
	b.Used += b.likely
	return b.reached(1)
}

// reached says whether a part of a budget is used, however the sum of many small costs was rounded.
func (b Budget) reached(part float64) bool { return b.Most > 0 && b.Used >= part*b.Most*(1-1e-9) }

func (b Budget) limit() *LimitError {
	by := ""
	if b.likely > 0 && !b.reached(1) {
		by = " by the calls at work"
	}
	return &LimitError{What: fmt.Sprintf("the budget of %s is used up%s; %s raises it", b.Name, by, b.Flag)}
}

// Spent is the first budget that is used up, as an error; nil where none is.
func Spent(budgets []Budget) *LimitError {
	for _, b := range budgets {
		if b.spent() {
			return b.limit()
		}
	}
	return nil
}

// OverBudget is the budget, or the known limit, that keeps a session from dispatching anybody now; nil where none does.
func OverBudget(s machine.State, set Settings, now time.Time) *LimitError {
	step, task := machine.Next(s), ""
	if is, _ := step.Dispatching(); is || step.Name == machine.StepPick {
		task = step.Task
	}
	if limit := Spent(Budgets(s, set.Limits, task)); limit != nil {
		return limit
	}
	return knownLimit(s, s.LimitedBackend, now)
}

// knownLimit is the limit of a backend that still holds; nil where none is known. One that an older program noted counts
// for every backend. An outage is none: nobody said when it ends, and whoever starts a run may have ended it.
func knownLimit(s machine.State, backend string, now time.Time) *LimitError {
	known, ok := s.LimitOf(backend)
	if ok && known.Outage {
		return nil
	}
	if ok && now.Before(known.Until) {
		s.LimitedUntil, s.QuotaUsedUp, s.LimitedBackend = &known.Until, known.UsedUp, backend
	}
	if s.LimitedUntil == nil || !now.Before(*s.LimitedUntil) || s.LimitedBackend != "" && s.LimitedBackend != backend {
		return nil
	}
	limit := &LimitError{What: "the backend reported a limit", Until: *s.LimitedUntil, Backend: s.LimitedBackend}
	switch {
	case s.QuotaUsedUp && limit.Backend != "":
		limit.What = "the quota of backend " + limit.Backend + " is used up"
	case s.QuotaUsedUp:
		limit.What = "the backend's quota is used up"
	case limit.Backend != "":
		limit.What = "backend " + limit.Backend + " reported a limit"
	}
	return limit
}

// player is the backend that plays a persona now. One whose limit is known to hold is not asked before it is over: another
// takes its place, or there is a *LimitError.
func (e *Engine) player(p personas.Persona) (personas.Backend, string, error) {
	for {
		backend, name, err := e.Backends.For(p)
		if err != nil {
			return nil, "", err
		}
		limit := knownLimit(e.state(), name, e.Now())
		if limit == nil {
			return backend, name, nil
		}
		next, _, free := e.Backends.Limited(p, name, limit.Until)
		if !free {
			return nil, "", cmp.Or(knownLimit(e.state(), next, e.Now()), limit)
		}
		e.note("warning", personas.Sentences(limit.Error(), "Going on with backend "+next))
	}
}

// withinBudget refuses a dispatch for a task that a budget does not allow; "" is one without a task.
func (e *Engine) withinBudget(s machine.State, task string) error {
	budgets := Budgets(s, e.Settings.Limits, task)
	if limit := Spent(e.expecting("", budgets)); limit != nil {
		return limit
	}
	e.warnOf(budgets)
	return nil
}

// warnOf tells once of each budget that is nearly used up.
func (e *Engine) warnOf(budgets []Budget) {
	for _, b := range budgets {
		if text, near := b.Warning(); near && e.warnOnce(b.Name) {
			e.note("warning", text)
		}
	}
}

// Warning says how far a budget is used up; false where that is not far yet.
func (b Budget) Warning() (string, bool) {
	return fmt.Sprintf("%.0f %% of the budget of %s are used; %s raises it.", 100*b.Used/b.Most, b.Name, b.Flag), b.reached(tight)
}

// warnOnce says whether nobody was warned of something in this run.
func (e *Engine) warnOnce(what string) bool {
	if e.main != nil {
		return e.main.warnOnce(what)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.warned == nil {
		e.warned = map[string]bool{}
	}
	first := !e.warned[what]
	e.warned[what] = true
	return first
}

// GuardSpending ends a dispatch by cancelling its context once a call of the model used up a budget, or its time is over:
// no more than that call goes beyond it. The cause is a *LimitError. check looks at the budgets after a call.
func GuardSpending(ctx context.Context, budgets func() []Budget) (limited context.Context, check, end func()) {
	limited, cancel := context.WithCancelCause(ctx)
	stop := func() {}
	if b, left, ok := soonest(budgets()); ok {
		clock := time.AfterFunc(left, func() { cancel(b.limit()) })
		stop = func() { clock.Stop() }
	}
	return limited, func() {
		atWork := slices.DeleteFunc(budgets(), func(b Budget) bool { return b.begins })
		if limit := Spent(atWork); limit != nil {
			cancel(limit)
		}
	}, func() { stop(); cancel(nil) }
}

// soonest is the budget of time that is used up first, and when.
func soonest(budgets []Budget) (first Budget, left time.Duration, ok bool) {
	for _, b := range budgets {
		if !b.timed || b.Most <= 0 {
			continue
		}
		if its := time.Duration((b.Most - b.Used) * float64(time.Second)); !ok || its < left {
			first, left, ok = b, its, true
		}
	}
	return first, left, ok
}

// guard has a dispatch end once one of its budgets is used up, and counts its calls towards them; as says for what.
func (e *Engine) guard(ctx context.Context, d *personas.Dispatch, budgets func() []Budget, as machine.Event) (limited context.Context, end func()) {
	id := d.ID
	limited, check, release := GuardSpending(ctx, func() []Budget { return e.expecting(id, budgets()) })
	d.OnUsage = func(u personas.Usage) {
		e.used(u, id, as)
		e.warnOf(budgets())
		check()
	}
	return limited, func() {
		release()
		e.settleUsed()
	}
}

// Overspent is the budget that ended a dispatch.
func Overspent(ctx context.Context) *LimitError {
	var limit *LimitError
	if errors.As(context.Cause(ctx), &limit) {
		return limit
	}
	return nil
}
