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

// TestALimitOfOthersIsLookedAtAgain before it ends; a short one is waited out.
func TestALimitOfOthersIsLookedAtAgain(t *testing.T) {
	now := time.Unix(1e9, 0)
	for lasts, want := range map[time.Duration]time.Duration{time.Minute: time.Minute, 5 * 24 * time.Hour: 15 * time.Minute} {
		if got := sooner(now.Add(lasts), now).Sub(now); got != want {
			t.Errorf("one of %s is looked at after %s", lasts, got)
		}
	}
}
