package budget

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/machine"
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
	return &LimitError{What: fmt.Sprintf("the budget of %s is used up%s; %s raises it", b.Name, by, b.Flag), Raise: b.Raise}
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

// Warning says how far a budget is used up, and how far the rest will do; false where that is not far yet.
func (b Budget) Warning() (string, bool) {
	left := ""
	if b.Done > 0 && b.Used > 0 {
		left = fmt.Sprintf(", about %s left", machine.Plural(int(max(0, b.Most-b.Used)/b.Used*float64(b.Done)), "task", "tasks"))
	}
	return fmt.Sprintf("%.0f%% of the budget of %s is used%s; %s raises it.", 100*b.Used/b.Most, b.Name, left, b.Flag), b.reached(tight)
}

// WithLikely adds to budgets what calls that are at work are likely to use, where the calls of several tasks count.
func WithLikely(budgets []Budget, likely machine.Usage) []Budget {
	for i, b := range budgets {
		if b.counts != nil {
			budgets[i].likely = b.counts(likely)
		}
	}
	return budgets
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

// Overspent is the budget that ended a dispatch.
func Overspent(ctx context.Context) *LimitError {
	if limit, ok := errors.AsType[*LimitError](context.Cause(ctx)); ok {
		return limit
	}
	return nil
}
