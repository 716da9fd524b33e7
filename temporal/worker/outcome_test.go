package worker

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/config"
	"autopilot/temporal/flow"
)

func TestTheWorkflowLearnsHowAStepEnded(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 0, 0, 0, time.UTC)
	at := func(d time.Duration) *time.Time { until := now.Add(d); return &until }
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errors.New("the worker is stopping"))
	broken := errors.New("no space left on device")
	limit := func(e budget.LimitError) error { return fmt.Errorf("running the planner: %w", &e) }
	four, outage := budget.LimitError{What: "x", Until: now.Add(time.Hour)}, budget.LimitError{What: "x", Until: now.Add(time.Hour), Down: true}
	for name, c := range map[string]struct {
		ctx     context.Context
		err     error
		longest time.Duration
		waited  budget.Waited
		want    flow.Played
		fails   string
	}{
		"done":                   {},
		"a question is open":     {err: &halt.WaitingError{}},
		"the answer is none":     {err: &machine.AnswerError{Reason: "no such option"}, want: flow.Played{Refused: "no such option"}},
		"nobody agreed":          {err: fmt.Errorf("opening: %w", &unagreedError{[]app.TrustEntry{{What: "make deps", File: "autopilot.yaml:4"}}}), want: flow.Played{Stop: "somebody changed what the repository's files run or reach, and nobody agreed to it: make deps (autopilot.yaml:4)"}},
		"a fault":                {err: broken, fails: broken.Error()},
		"the worker stops":       {ctx: stopped, err: broken, fails: "the worker is stopping"},
		"done as it stops":       {ctx: stopped},
		"a question as it stops": {ctx: stopped, err: &halt.WaitingError{}},
		"the budget is spent":    {err: limit(budget.LimitError{What: "cost", Raise: "--max-cost"}), longest: time.Hour, want: flow.Played{Spent: (&budget.LimitError{What: "cost", Raise: "--max-cost"}).Error()}},
		"a limit until four":     {err: limit(four), longest: time.Hour, want: flow.Played{Until: at(time.Hour), Limit: four.Error(), Waited: budget.Waited{Fruitless: 1}}},
		"again":                  {err: limit(four), longest: time.Hour, waited: budget.Waited{Fruitless: 2}, want: flow.Played{Until: at(time.Hour), Limit: four.Error(), Waited: budget.Waited{Fruitless: 3}}},
		"and again":              {err: limit(four), longest: time.Hour, waited: budget.Waited{Fruitless: 3}, want: flow.Played{Stop: four.Error(), Until: at(time.Hour)}},
		"a limit too long":       {err: limit(four), longest: time.Minute, want: flow.Played{Stop: four.Error(), Until: at(time.Hour)}},
		"a limit without end":    {err: limit(budget.LimitError{What: "x"}), longest: time.Hour, want: flow.Played{Stop: "x", Until: at(unknownLimit)}},
		"nobody waits":           {err: limit(four), want: flow.Played{Stop: four.Error(), Until: at(time.Hour)}},
		"an outage":              {err: limit(outage), longest: 2 * time.Hour, want: flow.Played{Until: at(time.Hour), Limit: "x", Waited: budget.Waited{Out: now}}},
		"an outage that lasts":   {err: limit(outage), longest: 2 * time.Hour, waited: budget.Waited{Out: now.Add(-2 * time.Hour)}, want: flow.Played{Stop: "x", Until: at(time.Hour)}},
	} {
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		got, err := outcome(c.ctx, c.err, c.longest, c.waited, now)
		if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.fails == "") || err != nil && err.Error() != c.fails {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestEachOfSeveralHasItsPartOfABudget(t *testing.T) {
	limits := config.Limits{MaxCostUSD: 10, MaxTokens: 1000, MaxDispatches: 20}
	limits.Phase = config.PhaseLimits{MaxCostUSD: 5, MaxTokens: 500, MaxDispatches: 10}
	limits.Task = config.TaskLimits{MaxCostUSD: 5, MaxTokens: 800}
	s := machine.State{Usage: machine.Usage{CostUSD: 4, InputTokens: 300, OutputTokens: 100, Dispatches: 14}, Phases: []machine.Phase{{}}}
	s.Phases[0].Spent = machine.Spent{Usage: machine.Usage{CostUSD: 1, InputTokens: 50, OutputTokens: 50, Dispatches: 10}}
	s.Tasks = []machine.Task{{ID: "task-001", Spent: machine.Spent{Usage: machine.Usage{CostUSD: 0.5, InputTokens: 40}}}}
	with := func(cost float64, tokens, dispatches, phaseDispatches int) config.Limits {
		l := limits
		l.Task.MaxCostUSD, l.Task.MaxTokens, l.MaxDispatches, l.Phase.MaxDispatches = cost, tokens, dispatches, phaseDispatches
		return l
	}
	for among, want := range map[int]config.Limits{
		0: limits, 1: limits,
		2: with(2.5, 240, 17, 10),
		4: with(1.5, 140, 15, 10),
		8: with(1, 90, 14, 10), // no agent run for each: the last one has all that are left
	} {
		if got := share(limits, s, "task-001", among); !reflect.DeepEqual(got, want) {
			t.Errorf("among %d: %+v, want %+v", among, got, want)
		}
	}
}

// TestNoPartOfABudgetIsZero: that would be no limit at all.
func TestNoPartOfABudgetIsZero(t *testing.T) {
	limits := config.Limits{MaxCostUSD: 1, MaxTokens: 3, MaxDispatches: 3}
	limits.Phase = config.PhaseLimits{MaxCostUSD: 1, MaxTokens: 3, MaxDispatches: 2}
	limits.Task = config.TaskLimits{MaxCostUSD: 1, MaxTokens: 2}
	got := share(limits, machine.State{Phases: []machine.Phase{{}}}, "task-001", 4)
	if got.MaxDispatches != 1 || got.Phase.MaxDispatches != 1 || got.Task.MaxTokens != 1 {
		t.Errorf("the part is %+v", got)
	}
}
