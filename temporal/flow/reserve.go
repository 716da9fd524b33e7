package flow

import (
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
)

// reservation is what an agent that is at work may still spend, of the budgets of the session and its phase.
type reservation struct {
	budget.Bounds
	part bool // of what was left: others may spend meanwhile
}

// reserve sets a part of the budgets aside for a step that begins an agent, and gives the budgets of its act: the part bounds its task,
// for which nobody else spends. What nobody used or set aside is divided by the lanes that have nothing set aside and don't wait for more.
// It is false where nothing is left, and others may still leave something.
func (w *session) reserve(task string, step machine.Step) (*budget.Limits, bool) {
	is, flying := step.Dispatching()
	if !is || flying || w.job.Limits == nil {
		return w.job.Limits, true
	}
	left, busy := w.unreserved()
	last := w.last[task] && busy == 0
	delete(w.last, task)
	free := max(1, w.spenders()-busy-w.short)
	switch {
	case last:
		free = 1
	case w.spenders() > 1 && !enough(left):
		return nil, false
	}
	r := &reservation{budget.Bounds{Dispatches: 1, Tokens: max(1, left.Tokens/free), CostUSD: left.CostUSD / float64(free)}, free > 1 || busy > 0}
	limits, own := *w.job.Limits, amount(w.s.SpentOn(step.Task).Usage)
	if step.Task != "" { // it may use no more
		r.Tokens, r.CostUSD = min(r.Tokens, max(0, limits.Task.Tokens-own.Tokens)), min(r.CostUSD, max(0, limits.Task.CostUSD-own.CostUSD))
	}
	if w.reserved[step.Task] = r; !r.part {
		return w.job.Limits, true
	}
	limits.Task.Tokens = min(limits.Task.Tokens, own.Tokens+r.Tokens)
	limits.Task.CostUSD = min(limits.Task.CostUSD, own.CostUSD+r.CostUSD)
	limits.Part = limits.Task != w.job.Limits.Task
	return &limits, true
}

// unreserved is what nobody used or set aside, of the budgets of the session and its phase; busy is how many set something aside.
func (w *session) unreserved() (left budget.Bounds, busy int) {
	left = less(w.job.Limits.Session, amount(w.s.Usage))
	phase := less(w.job.Limits.Phase, amount(w.s.SpentHere().Usage))
	left = budget.Bounds{Dispatches: min(left.Dispatches, phase.Dispatches), Tokens: min(left.Tokens, phase.Tokens), CostUSD: min(left.CostUSD, phase.CostUSD)}
	take := func(task string) {
		if r := w.reserved[task]; r != nil {
			left, busy = less(left, r.Bounds), busy+1
		}
	}
	take("")
	for _, t := range w.s.Tasks { // in one order: rounded sums differ by it
		take(t.ID)
	}
	return left, busy
}

// enough says whether an agent can begin with what is left.
func enough(left budget.Bounds) bool {
	return left.Dispatches > 0 && left.Tokens > 0 && left.CostUSD > 0
}

// spent takes what was used for a task from what is set aside for it.
func (w *session) spent(e machine.Event, used machine.Usage) {
	task := e.Task
	if e.Dispatch != nil {
		task = e.Dispatch.Task
	}
	if r := w.reserved[task]; r != nil {
		left := less(r.Bounds, amount(used))
		r.Bounds = budget.Bounds{Dispatches: max(0, left.Dispatches), Tokens: max(0, left.Tokens), CostUSD: max(0, left.CostUSD)}
	}
}

// release gives back what an act left of what was set aside for its task, and says whether that was but a part.
func (w *session) release(task string) (part bool) {
	r := w.reserved[task]
	delete(w.reserved, task)
	return r != nil && r.part
}

// share has a lane that used up its part, or found nothing left, wait until there is more. The last one does not wait: it has all that is
// left. Who waits for the end of a limit spends nothing either.
func (w *session) share(ctx workflow.Context, task string, more func() bool) error {
	w.short++
	defer func() { w.short-- }()
	return workflow.Await(ctx, func() bool {
		w.last[task] = w.short+w.limited >= w.spenders()
		return w.last[task] || w.leaving || w.stopping != "" || more()
	})
}

// spenders are how many may spend at the same time.
func (w *session) spenders() int {
	if w.own {
		return len(w.going) + 1
	}
	return len(w.going)
}

// amount is what was used, as budgets count it.
func amount(u machine.Usage) budget.Bounds {
	return budget.Bounds{Dispatches: u.Dispatches, Tokens: u.InputTokens + u.OutputTokens, CostUSD: u.CostUSD}
}

// less is what is left of an amount.
func less(b, by budget.Bounds) budget.Bounds {
	return budget.Bounds{Dispatches: b.Dispatches - by.Dispatches, Tokens: b.Tokens - by.Tokens, CostUSD: b.CostUSD - by.CostUSD}
}
