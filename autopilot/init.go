package autopilot

import (
	"context"

	"autopilot/autopilot/checks"
	"autopilot/autopilot/machine"
)

// newBranch puts the session on a branch of its own, unless it was told to stay or stands on one already.
func (e *Engine) newBranch(ctx context.Context, _ machine.Step) error {
	ev := machine.Event{Type: machine.Branched}
	if err := e.branch().Choose(ctx, &ev); err != nil {
		return err
	}
	return e.Journal.Apply(ev)
}

// baseline runs the validation once, before anything changes.
func (e *Engine) baseline(ctx context.Context, _ machine.Step) error {
	if e.Settings.ValidateNone {
		return e.Journal.Apply(machine.Event{Type: machine.BaselineMeasured, Baseline: &machine.Baseline{Commit: e.Journal.State().StartingCommit, Waived: true}})
	}
	found := e.checks().Project()
	if len(found) == 0 {
		e.Journal.Note("info", "No validation command was found in the repository. Tasks can bring their own; autopilot.yaml can name some under validate.commands.")
		return e.Journal.Apply(machine.Event{Type: machine.BaselineMeasured})
	}
	e.Journal.Note("info", "Running the validation once, as the baseline.")
	ran, err := e.checks().Do(ctx, checks.Job{Root: e.Repo.Root(), List: found, Log: "baseline.log"})
	if err != nil {
		return err
	}
	if err := e.checks().KeepTests(0, ran.Tests); err != nil {
		return err
	}
	return e.Journal.Apply(machine.Event{
		Type: machine.BaselineMeasured, ByProducts: ran.ByProducts, Evidence: ran.Evidence,
		Baseline: &machine.Baseline{Commit: e.Journal.State().StartingCommit, Checks: ran.Checks},
	})
}
