package autopilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"autopilot/autopilot/blind"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// blind reports whether the phase gets blind checks.
func (ve verifying) blind() bool {
	return ve.settings.Blind && ve.journal.State().RigorLevel != machine.Fast && ve.trees.exportDir() != ""
}

// blindChecks runs the checks that were written from the spec alone.
func (ve verifying) blindChecks(ctx context.Context, _ machine.Step) error {
	p := ve.journal.Phase()
	spec, err := os.ReadFile(filepath.Join(ve.records.Dir(), "spec.md"))
	if err != nil {
		return err
	}
	position, err := ve.repo.Position(ctx)
	if err != nil {
		return err
	}
	ve.journal.Note("info", "Running the blind checks in a clean working tree.")
	runner := blind.Runner{Tree: ve.checks.Clean, Mask: ve.checks.Mask, Spec: string(spec), Now: ve.now}
	reading, err := runner.Run(ctx, *p.Blind, position.Head, p.StartCommit)
	if ctx.Err() != nil {
		return &halt.InterruptedError{Cause: ctx.Err()}
	}
	if err != nil {
		return fmt.Errorf("running the blind checks: %w", err)
	}
	if err := ve.journal.Apply(machine.Event{Type: machine.BlindChecked, Reading: &reading}); err != nil {
		return err
	}
	cost := words.Seconds(reading.Seconds)
	if reading.Tokens > 0 {
		cost += fmt.Sprintf(", %d tokens", reading.Tokens)
	}
	ve.journal.Note("info", fmt.Sprintf("Blind checks of phase %s: %s (%s).", p.Number, reading.Summary(), cost))
	return nil
}
