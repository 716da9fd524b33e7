package cmd

import (
	"fmt"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/personas/chaos"
)

// lastSteps is how long a run may take to end once its time is over: a dispatch is ended then, but a check or a commit that
// follows it is not cut off.
const lastSteps = time.Minute

// account is what was used of budgets.
type account struct {
	of   string // " for task-001"; "" is the session
	used machine.Spent
	most budget.Bounds
	// calls is how many calls of a model may go beyond: the one that uses a budget up ends its dispatch, and is paid.
	calls int
}

// accounts are those of a session, of its phases with the final review, and of the tasks of its last phase.
func (s *simulation) accounts(state machine.State, seen *witness) []account {
	most := app.BudgetLimits(s.cfg.Limits)
	calls := max(1, seen.unguessed)
	all := []account{
		{"", machine.Spent{Usage: state.Usage, Seconds: state.Elapsed}, most.Session, calls},
		{" for the final review", state.FinalSpent, most.Phase, calls},
	}
	for _, p := range state.Phases {
		all = append(all, account{" for phase " + p.Number, p.Spent, most.Phase, calls})
	}
	for _, t := range state.Tasks {
		all = append(all, account{" for " + t.ID, state.SpentOn(t.ID), most.Task, 1})
	}
	return all
}

// overdrawn lists the budgets of an account that were not kept.
func (a account) overdrawn() []string {
	var over []string
	calls := float64(a.calls)
	for _, b := range []struct {
		form               string // of a number of them
		used, most, beyond float64
	}{
		{"%.0f dispatches", float64(a.used.Dispatches), float64(a.most.Dispatches), 0}, // refused before they begin
		{"%.2f USD", a.used.CostUSD, a.most.CostUSD, calls * chaos.Paid.CostUSD},
		{"%.0f tokens", float64(a.used.InputTokens + a.used.OutputTokens), float64(a.most.Tokens), calls * float64(chaos.Paid.InputTokens+chaos.Paid.OutputTokens)},
		{"%.0f seconds", a.used.Seconds, a.most.Duration.Seconds(), lastSteps.Seconds()},
	} {
		if b.most > 0 && b.used > (b.most+b.beyond)*(1+1e-9) { // the sum of many small costs is rounded
			over = append(over, fmt.Sprintf("it used "+b.form+"%s, and "+b.form+" were allowed", b.used, a.of, b.most))
		}
	}
	return over
}
