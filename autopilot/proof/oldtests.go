package proof

import (
	"context"
	"fmt"
	"slices"

	"autopilot/autopilot/validate"
)

// Answer is what one command showed.
type Answer struct {
	Verdict   Verdict
	Tests     []string          // that passed before and fail now, where the output names them
	Now       validate.Evidence // the command on the work with the old tests; on the work as it is where it could not be checked
	Why       string            // why it could not be checked, with what to do
	Kept      []string          // files that build and judge, and are the work's: with the old ones it does not build
	Announced bool              // it holds where what the plan announces stays as the work has it
}

// CouldNot is the verdict where the clean tree does not even give what the validation gave: it says nothing of the work.
const CouldNot Verdict = "could not check"

// OldTests asks, unless it did so last, and gives an answer for each command; none where the question is moot.
func (t Tree) OldTests(ctx context.Context, q Question) ([]Answer, error) {
	if q.Moot() {
		return nil, nil
	}
	return remembered(t, &t.last().old, q, func() ([]Answer, error) { return t.answers(ctx, q) })
}

// answers runs the work with its own tests first: what fails so in the clean tree tells nothing.
func (t Tree) answers(ctx context.Context, q Question) ([]Answer, error) {
	control, err := t.control(ctx, q)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(q.Commands))
	for i, c := range q.Commands {
		a := &answers[i]
		a.Now = control[i]
		if a.Why = c.unlike(a.Now); a.Why != "" {
			a.Verdict = CouldNot
			a.Why = fmt.Sprintf("in a clean working tree %s %s. Have worktree.setup or worktree.copy in autopilot.yaml bring what it needs", c.Command, a.Why)
		}
	}
	if err := t.rounds(ctx, q, answers); err != nil {
		return nil, err
	}
	return answers, t.believe(ctx, q, answers)
}

func (t Tree) rounds(ctx context.Context, q Question, answers []Answer) error {
	for _, both := range []bool{true, false} {
		if err := t.ask(ctx, q, both, answers); err != nil {
			return err
		}
	}
	return nil
}

// again runs a command that fails with the old tests once more: what fails now and then is not the work's. Behind it lies the tree
// of the commit.
func (t Tree) again(ctx context.Context, q Question, swap Swap, c Command, before validate.Evidence, a *Answer) error {
	now, err := t.On(ctx, q.Base, q.paths(swap), c.Validation, swap.Gone...)
	if err != nil {
		return err
	}
	verdict, tests := Compare(before, now)
	if verdict == Holds || len(a.Tests) > 0 && len(without(a.Tests, without(a.Tests, tests))) == 0 {
		a.Verdict, a.Tests = Holds, nil
	} else if verdict == Broken {
		a.Tests = without(a.Tests, without(a.Tests, tests))
	}
	return t.Lay(ctx, q.Base, nil)
}

// believe asks once more of what does not hold: with what the plan announces as the work has it, and, since that may rest on
// what the plan does not announce, without it.
func (t Tree) believe(ctx context.Context, q Question, answers []Answer) error {
	if len(q.Announced) == 0 {
		return nil
	}
	for _, left := range []bool{false, true} {
		if q.Believe && !left {
			continue // it was asked so
		}
		q.Believe, q.without = true, left
		again := make([]Answer, len(answers))
		for i, a := range answers {
			if a.Verdict == Holds || a.Verdict == CouldNot || a.Announced {
				again[i].Verdict = Holds
			}
		}
		if err := t.rounds(ctx, q, again); err != nil {
			return err
		}
		for i := range again {
			a := &answers[i]
			a.Announced = again[i].Verdict == Holds && a.Verdict != Holds && a.Verdict != CouldNot
		}
	}
	return nil
}

// unlike says what a run on the work shows in the clean tree that it did not where the work was made; "" is nothing.
func (c Command) unlike(now validate.Evidence) string {
	switch {
	case now.Outcome != validate.Passed && (now.ExitCode != 0 || c.Ran > 0): // else the exit code was all that was known there
		return fmt.Sprintf("does not pass with the work's own tests either (%s)", now.Outcome)
	case now.Counts != nil && now.Counts.Ran < c.Ran:
		return fmt.Sprintf("runs %d of the %d tests that ran where the work was made", now.Counts.Ran, c.Ran)
	}
	return ""
}

// ask runs the commands that are not answered yet on the work with the old tests. Where these do not build, the files that
// build as well may be the cause, and the next round has the work's.
func (t Tree) ask(ctx context.Context, q Question, both bool, answers []Answer) error {
	open := func(a Answer) bool { return a.Verdict == "" }
	if !slices.ContainsFunc(answers, open) {
		return nil
	}
	swap := q.swap(both)
	if swap.Empty() { // nothing else judged
		for i := range answers {
			if open(answers[i]) {
				answers[i].Verdict, answers[i].Kept = Holds, q.swap(true).Back
			}
		}
		return nil
	}
	if err := t.Lay(ctx, q.Base, q.paths(swap), swap.Gone...); err != nil {
		return err
	}
	var red []int
	for i, c := range q.Commands {
		if !open(answers[i]) {
			continue
		}
		if answers[i].Now = t.run(ctx, c.Validation); answers[i].Now.Outcome == validate.Interrupted {
			return ctx.Err()
		}
		if !both {
			answers[i].Kept = without(q.swap(true).Back, swap.Back)
		}
		if answers[i].Verdict = Holds; answers[i].Now.Outcome != validate.Passed {
			red = append(red, i)
		}
	}
	if len(red) == 0 {
		return nil
	}
	if err := t.Lay(ctx, q.Base, nil); err != nil {
		return err
	}
	for _, i := range red {
		before := t.run(ctx, q.Commands[i].Validation)
		if before.Outcome == validate.Interrupted {
			return ctx.Err()
		}
		a := &answers[i]
		if a.Verdict, a.Tests = Compare(before, a.Now); a.Verdict == Broken {
			if err := t.again(ctx, q, swap, q.Commands[i], before, a); err != nil {
				return err
			}
		}
		switch {
		case swap.Needed(a.Verdict):
			a.Verdict = Holds
		case a.Verdict == Unbuilt && both && len(without(swap.Back, q.swap(false).Back)) > 0:
			a.Verdict = ""
		case swap.Renamed(a.Verdict, a.Tests, a.Now.Output):
			a.Verdict, a.Tests = Unbuilt, nil
		}
	}
	return nil
}
