package cmd

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// goodEnds are the exit codes with which a simulated run may end: done, waiting for a human, refused credentials, a limit
// or budget.
var goodEnds = []int{0, 3, 4, 5}

// maxFixes is how often a phase, or the final review, may be fixed.
const maxFixes = 3

// judge lists the promises that a run broke.
func (s *simulation) judge(ctx context.Context, dir string, r *simulated, seen *witness) ([]string, error) {
	var broken []string
	say := func(is bool, format string, args ...any) {
		if is {
			broken = append(broken, fmt.Sprintf(format, args...))
		}
	}
	say(!slices.Contains(goodEnds, r.code), "it ended with exit code %d: %s", r.code, r.text)
	say(r.code == 0 && r.state.CurrentState != machine.Done, "it ended with exit code 0 in %s", r.state.CurrentState)
	if r.state.CurrentState == machine.Done {
		for _, what := range s.unmade(ctx, dir, r.state, seen) {
			say(true, "it is DONE, and %s", what)
		}
		say(s.ground.blob(ctx, dir, "HEAD", checkScript) != checkText, "it is DONE, and %s is not what it was", checkScript)
	}
	kept, err := s.ground.saved(ctx, dir)
	if err != nil {
		return nil, err
	}
	say(!kept, "the user's file %s was lost", usersFile)
	for _, what := range s.overspent(r.state, seen) {
		say(true, "%s", what)
	}
	return broken, nil
}

// unmade are the phases and tasks of a session that is done and that the tree does not hold.
func (s *simulation) unmade(ctx context.Context, dir string, state machine.State, seen *witness) []string {
	var missing []string
	if len(state.History) < len(state.Phases) {
		missing = append(missing, fmt.Sprintf("only %d of %d phases were recorded", len(state.History), len(state.Phases)))
	}
	for i, t := range seen.done {
		if !s.ground.committed(ctx, dir, pieceOf(seen.phases[i], t)) {
			missing = append(missing, fmt.Sprintf("%s of phase %d is not in HEAD (%s)", t.ID, seen.phases[i], t.Title))
		}
	}
	return missing
}

// overspent are the budgets that a run did not keep.
func (s *simulation) overspent(state machine.State, seen *witness) []string {
	var over []string
	for _, a := range s.accounts(state, seen) {
		over = append(over, a.overdrawn()...)
	}
	within := func(what string, used, most int) {
		if used > most {
			over = append(over, fmt.Sprintf("it used %d %s, and %d were allowed", used, what, most))
		}
	}
	within("fix rounds of the final review", state.FinalReview.RetryCount, maxFixes)
	for _, p := range state.Phases {
		within("fix rounds of the checks in phase "+p.Number, p.VerifyFixes, maxFixes)
		within("fix rounds of the review in phase "+p.Number, p.ReviewFixes, maxFixes)
	}
	for _, t := range state.Tasks {
		within("attempts at "+t.ID, len(t.Failures()), s.cfg.Retries+1+t.Extra)
	}
	return over
}
