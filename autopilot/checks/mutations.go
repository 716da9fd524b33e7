package checks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/proof"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/validate/results"
)

// Mutations makes small changes to the lines that the work changed, one at a time, runs the tests that passed on each in the clean
// working tree, and returns a line for each change that no test notices.
func (cs Checks) Mutations(ctx context.Context, made changes.Work, list []validate.Validation, passed []machine.Check) ([]string, error) {
	ps := cs.proofs()
	if ps.Off() {
		return nil, nil
	}
	took := machine.SecondsOf(passed)
	q := cs.question(made, list, passed)
	q.Commands = slices.DeleteFunc(q.Commands, func(c proof.Command) bool { return c.Ran == 0 && !results.Tests(c.Command) })
	if took > proof.Longest.Seconds() || len(q.Commands) == 0 || !slices.ContainsFunc(q.Changes, proof.Change.Mutable) {
		return nil, nil
	}
	for i := range q.Commands { // one that never ends is noticed, too
		q.Commands[i].Timeout = time.Minute + time.Duration(3*took*float64(time.Second))
	}
	if err := ps.open(ctx, q.Base); err != nil {
		return nil, ps.told(err)
	}
	cs.Journal.Note("info", "Making small changes to the changed lines, to see whether the tests notice.")
	survivors, err := cs.Clean.Mutate(ctx, q)
	if ctx.Err() != nil {
		return nil, &halt.InterruptedError{Cause: ctx.Err()}
	}
	var lines []string
	for _, m := range survivors {
		lines = append(lines, fmt.Sprintf("No test notices in %s:%d that %s.", m.Path, m.Line, m.What))
	}
	return lines, err
}
