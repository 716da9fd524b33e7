package simulate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/config"
	"autopilot/personas/chaos"
)

// tightSimulation has for each kind of budget 1 for a task, 2 for a phase and 3 for the session, of units of its own.
func tightSimulation() *Simulation {
	return &Simulation{cfg: &config.Config{Limits: config.Limits{
		MaxDispatches: 30, MaxCostUSD: 3, MaxTokens: 30_000, MaxDuration: 3 * time.Hour,
		Phase: config.PhaseLimits{MaxDispatches: 20, MaxCostUSD: 2, MaxTokens: 20_000, MaxDuration: 2 * time.Hour},
		Task:  config.TaskLimits{MaxDispatches: 10, MaxCostUSD: 1, MaxTokens: 10_000, MaxDuration: time.Hour},
	}}}
}

// spentAt is a session that used something in one place, and nothing elsewhere.
var spentAt = []struct {
	of    string
	units float64
	state func(machine.Spent) machine.State
}{
	{"", 3, func(used machine.Spent) machine.State { return machine.State{Usage: used.Usage, Elapsed: used.Seconds} }},
	{" for phase 1", 2, func(used machine.Spent) machine.State {
		return machine.State{Phases: []machine.Phase{{Number: "1", Spent: used}}}
	}},
	{" for the final review", 2, func(used machine.Spent) machine.State { return machine.State{FinalSpent: used} }},
	{" for task-001", 1, func(used machine.Spent) machine.State {
		return machine.State{Tasks: []machine.Task{{ID: "task-001", Spent: used}}}
	}},
}

// TestEachOverspentBudgetIsSeen shows the judge of simulated runs sessions that keep each budget, if only with the call that
// used it up, and sessions that do not.
func TestEachOverspentBudgetIsSeen(t *testing.T) {
	t.Parallel()
	s := tightSimulation()
	for _, at := range spentAt {
		for _, b := range []struct {
			unit, beyond, more float64
			form               string
			used               func(float64) machine.Spent
		}{
			{10, 0, 1, "%.0f dispatches", func(n float64) machine.Spent { return machine.Spent{Usage: machine.Usage{Dispatches: int(n)}} }},
			{1, chaos.Paid.CostUSD, 0.01, "%.2f USD", func(n float64) machine.Spent { return machine.Spent{Usage: machine.Usage{CostUSD: n}} }},
			{10_000, 1350, 1, "%.0f tokens", func(n float64) machine.Spent {
				return machine.Spent{Usage: machine.Usage{InputTokens: int(n) - 100, OutputTokens: 100}}
			}},
			{3600, lastSteps.Seconds(), 1, "%.0f seconds", func(n float64) machine.Spent { return machine.Spent{Seconds: n} }},
		} {
			most := at.units * b.unit
			for _, within := range []float64{most - b.more, most, most + b.beyond} {
				if over := s.overspent(at.state(b.used(within)), 0); len(over) > 0 {
					t.Errorf("%v of %v%s: %q", within, most, at.of, over)
				}
			}
			used := most + b.beyond + b.more
			want := fmt.Sprintf("it used "+b.form+"%s, and "+b.form+" were allowed", used, at.of, most)
			if got := strings.Join(s.overspent(at.state(b.used(used)), 0), "; "); got != want {
				t.Errorf("%v of %v%s: %q, want %q", used, most, at.of, got, want)
			}
		}
	}
}

// TestCallsThatNobodyCouldGuessMayGoBeyondABudget is about dispatches beside each other, before the first call of a run has
// ended. A task has one at a time.
func TestCallsThatNobodyCouldGuessMayGoBeyondABudget(t *testing.T) {
	t.Parallel()
	s := tightSimulation()
	for _, at := range spentAt {
		two := machine.Spent{Usage: machine.Usage{InputTokens: int(at.units)*10_000 + 2*1350}}
		if over := s.overspent(at.state(two), 2); (len(over) > 0) != (at.units == 1) {
			t.Errorf("two calls beyond%s: %q", at.of, over)
		}
	}
}
