package checks

import (
	"context"
	"slices"
	"strings"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/worktree"
)

// Run runs one command and compares it with its baseline. Tests that fail, and did not before, are run again: what
// fails no more is reported as a flake, and blamed on nobody.
func (j Judge) Run(ctx context.Context, runner validate.Runner, out *evidence.Recording, root string, v validate.Validation) (machine.Check, validate.Evidence, error) {
	out.Begin(v.Command)
	first := worktree.MissingDependencies(ctx, j.Home, root, runner.Run(ctx, root, v))
	c := j.Check(first)
	if first.Outcome == validate.Interrupted {
		return c, first, &halt.InterruptedError{Cause: ctx.Err()}
	}
	out.End(c)
	if c.Outcome != machine.CheckFailed || j.Journal.State().CurrentState == machine.Init {
		return c, first, nil
	}
	trial := runner.Try(ctx, root, v, first, j.baselineTests(first), out.Begin, func(ev validate.Evidence) { out.End(j.Check(ev)) })
	if trial.Interrupted() {
		return c, first, &halt.InterruptedError{Cause: ctx.Err()}
	}
	return j.judgeTrial(c, trial), trial.Last, nil
}

// maxBlamed is how many of the tests that are blamed the state names.
const maxBlamed = 100

// judgeTrial is what running failed tests again showed, in the words of the core.
func (j Judge) judgeTrial(c machine.Check, t validate.Trial) machine.Check {
	if t.Excused() {
		c = j.Check(t.Last)
	}
	c.Flakes = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Flakes, t.Flakes))))
	c.Blamed = t.Blamed[:min(len(t.Blamed), maxBlamed)]
	if len(t.Runs) > 1 {
		for _, ev := range t.Runs {
			c.Runs = append(c.Runs, machine.CheckRun{
				Command: ev.Command, Outcome: Outcomes[ev.Outcome], ExitCode: ev.ExitCode, Seconds: ev.Duration.Seconds(), FailedTests: ev.FailedTests,
			})
		}
	}
	if len(t.Blamed) > 0 {
		c.Signature = strings.Join(t.Blamed, "\n")
	}
	if text := verdict(t); text != "" && c.Outcome != machine.CheckPassed {
		c.Detail = text + "\n" + c.Detail
	}
	return c
}

// verdict says which of the failed tests are blamed, and why the others are not.
func verdict(t validate.Trial) string {
	var parts []string
	for _, part := range []struct {
		tests []string
		text  string
	}{
		{t.Blamed, "New failure: "},
		{t.Known, "Failed before any change, so not counted: "},
		{t.Flakes, "Flaky (passed when run again), so not counted: "},
	} {
		if len(part.tests) > 0 {
			parts = append(parts, part.text+validate.Named(part.tests)+".")
		}
	}
	return strings.Join(parts, " ")
}
