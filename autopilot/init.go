package autopilot

import (
	"context"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/validate"
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
	found := e.validations()
	if len(found) == 0 {
		e.Journal.Note("info", "No validation command was found in the repository. Tasks can bring their own; autopilot.yaml can name some under validate.commands.")
		return e.Journal.Apply(machine.Event{Type: machine.BaselineMeasured})
	}
	e.Journal.Note("info", "Running the validation once, as the baseline.")
	ran, err := e.runChecks(ctx, job{root: e.Repo.Root(), list: found, log: "baseline.log"})
	if err != nil {
		return err
	}
	if err := e.judge().KeepTests(0, ran.tests); err != nil {
		return err
	}
	return e.Journal.Apply(machine.Event{
		Type: machine.BaselineMeasured, ByProducts: ran.byProducts, Evidence: ran.evidence,
		Baseline: &machine.Baseline{Commit: e.Journal.State().StartingCommit, Checks: ran.checks},
	})
}

// validations are the project's validation commands, found anew each time: configured ones, else those of its files.
func (e *Engine) validations() []validate.Validation {
	if e.Settings.ValidateNone {
		return nil
	}
	found, err := validate.Find(e.Repo.Root(), e.Settings.Validations...)
	if err != nil {
		e.Journal.Note("warning", "The validation commands could not be found: "+err.Error())
	}
	return e.judge().Limit(found)
}
