package simulate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/personas/chaos"
)

// goodEnds are the exit codes with which a simulated run may end: done, waiting for a human, refused credentials, a limit
// or budget.
var goodEnds = []int{0, 3, 4, 5}

const (
	// maxFixes is how often a phase, or the final review, may be fixed.
	maxFixes = 3
	// lastSteps is how long a run may take to end once its time is over: a dispatch is ended then, but a check or a commit
	// that follows it is not cut off.
	lastSteps = time.Minute
)

// judge lists the promises that a run broke.
func (s *Simulation) judge(ctx context.Context, r *simulated) ([]string, error) {
	broken := []string{}
	say := func(is bool, format string, args ...any) {
		if is {
			broken = append(broken, fmt.Sprintf(format, args...))
		}
	}
	say(!slices.Contains(goodEnds, r.code), "it ended with exit code %d: %s", r.code, r.text)
	say(r.code == 0 && r.state.CurrentState != machine.Done, "it ended with exit code 0 in %s", r.state.CurrentState)
	if r.state.CurrentState == machine.Done {
		say(len(r.state.History) < len(r.state.Phases), "it is DONE, and only %d of %d phases were recorded", len(r.state.History), len(r.state.Phases))
		for _, p := range r.seen.done {
			say(!s.committed(ctx, r.dir, p), "it is DONE, and %s of phase %d is not in HEAD", p.mark.task, p.mark.phase)
		}
		waived := slices.ContainsFunc(r.state.Register, func(e machine.Entry) bool { return e.File == checkScript && e.Fate == machine.FateWaived })
		say(!waived && s.blob(ctx, r.dir, "HEAD", checkScript) != checkText, "it is DONE, and %s is not what it was", checkScript) // a person was told, and went on
	}
	kept, err := s.saved(ctx, r.dir)
	say(!kept && err == nil, "the user's file %s was lost", usersFile)
	return append(broken, s.overspent(r.state, r.seen.unguessed)...), err
}

// overspent are the budgets that a run did not keep: of the session, of its phases with the final review, and of the tasks of
// its last phase. So many calls of a model may go beyond one: that which uses it up ends its dispatch, and is paid. unguessed
// is how many dispatches were at work beside each other before anybody knew what a call takes.
func (s *Simulation) overspent(state machine.State, unguessed int) (over []string) {
	within := func(form, of string, used, most, beyond float64) {
		if most > 0 && used > (most+beyond)*(1+1e-9) { // the sum of many small costs is rounded
			over = append(over, fmt.Sprintf("it used "+form+"%s, and "+form+" were allowed", used, of, most))
		}
	}
	spent := func(of string, used machine.Spent, most budget.Bounds, calls int) {
		within("%.0f dispatches", of, float64(used.Dispatches), float64(most.Dispatches), 0) // refused before they begin
		within("%.2f USD", of, used.CostUSD, most.CostUSD, float64(calls)*chaos.Paid.CostUSD)
		within("%.0f tokens", of, float64(used.InputTokens+used.OutputTokens), float64(most.Tokens), float64(calls*(chaos.Paid.InputTokens+chaos.Paid.OutputTokens)))
		within("%.0f seconds", of, used.Seconds, most.Duration.Seconds(), lastSteps.Seconds())
	}
	fixes := func(of string, n int) { within("%.0f fix rounds", of, float64(n), maxFixes, 0) }
	most, calls := app.BudgetLimits(s.cfg.Limits), max(1, unguessed)
	spent("", machine.Spent{Usage: state.Usage, Seconds: state.Elapsed}, most.Session, calls)
	spent(" for the final review", state.FinalSpent, most.Phase, calls)
	fixes(" of the final review", state.FinalReview.RetryCount)
	for _, p := range state.Phases {
		spent(" for phase "+p.Number, p.Spent, most.Phase, calls)
		fixes(" of the checks in phase "+p.Number, p.VerifyFixes)
		fixes(" of the review in phase "+p.Number, p.ReviewFixes)
	}
	for _, t := range state.Tasks {
		spent(" for "+t.ID, state.SpentOn(t.ID), most.Task, 1)
		within("%.0f attempts", " at "+t.ID, float64(len(t.Failures())), float64(s.cfg.Retries+1+t.Extra), 0)
	}
	return over
}
