package attempts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// beside is a task at work beside others.
type beside struct {
	task    string
	d       personas.Dispatch
	limited context.Context
	end     func()
}

// TestLanesOvershootABudgetByOneCallInAll has several tasks make calls at once, in any order: what all of them used is
// beyond the budget by less than one call, and none is ended before what is at work uses it up.
func TestLanesOvershootABudgetByOneCallInAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := withATask(t)
		size := rapid.IntRange(1, 1000).Draw(t, "tokens of a call")
		most := rapid.IntRange(1, 12*size).Draw(t, "budget")
		set := budget.Limits{Session: budget.Bounds{Tokens: most}}
		if rapid.Bool().Draw(t, "of the phase") {
			set = budget.Limits{Phase: budget.Bounds{Tokens: most}}
		}
		e := l.engine(set)
		one := personas.Usage{InputTokens: size}
		planner := l.beside(e, 0)
		if rapid.Bool().Draw(t, "planned in an earlier run") {
			l.ended(planner)
			planner = l.beside(l.engine(set), 0)
			l.state.Metrics.Turns = 1
		}
		planner.d.OnUsage(one)
		l.ended(planner)
		cut := &machine.Lane{Flight: &machine.Dispatch{ID: "cut off by a kill"}} // nobody is at work there
		l.state.Tasks = append(slices.Clone(l.state.Tasks), machine.Task{ID: "task-cut", Lane: cut})
		var lanes []beside
		over, begun := false, 0
		for steps := 0; (len(lanes) > 0 || !over) && steps < 100; steps++ {
			if !over && len(lanes) < 4 && (len(lanes) == 0 || rapid.Bool().Draw(t, "another begins")) {
				begun++
				var limit *budget.LimitError
				if over = errors.As(e.WithinBudget(l.state, fmt.Sprint("task-", begun)), &limit); !over {
					lanes = append(lanes, l.beside(e, begun))
				}
				continue
			}
			i := rapid.IntRange(0, len(lanes)-1).Draw(t, "whose call ends")
			lanes[i].d.OnUsage(one)
			if lanes[i].limited.Err() != nil {
				l.ended(lanes[i])
				lanes, over = slices.Delete(lanes, i, i+1), true
			}
		}
		if used := l.state.Usage.InputTokens; used >= most+size || over && len(lanes) == 0 && used < most {
			t.Fatalf("%d of %d tokens are used, %d a call", used, most, size)
		}
	})
}

// beside begins a dispatch beside those at work.
func (l *ledger) beside(e Attempts, n int) beside {
	b := beside{task: fmt.Sprint("task-", n), d: personas.Dispatch{ID: fmt.Sprint("d", n)}}
	l.state.Tasks = append(slices.Clone(l.state.Tasks), machine.Task{ID: b.task, Lane: &machine.Lane{Flight: &machine.Dispatch{ID: b.d.ID, Task: b.task, At: l.now}}})
	budgets := func() []budget.Budget { return budget.Budgets(l.state, e.Settings.Limits, b.task) }
	b.limited, b.end = e.LimitSpending(context.Background(), &b.d, budgets, machine.Event{Task: b.task})
	return b
}

func (l *ledger) ended(b beside) {
	b.end()
	l.state.Tasks = slices.DeleteFunc(slices.Clone(l.state.Tasks), func(t machine.Task) bool { return t.ID == b.task })
}
