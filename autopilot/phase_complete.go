package autopilot

import (
	"context"
	"fmt"

	"autopilot/autopilot/machine"
)

// recordPhase writes what belongs to the end of a phase.
func (e *Engine) recordPhase(ctx context.Context, step machine.Step) error {
	if err := e.syncRoadmap(ctx); err != nil || e.Journal.State().Gate != nil {
		return err
	}
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := e.Records.WriteJSON(fmt.Sprintf("phase-%d-review.json", step.Phase), machine.ReviewShown(e.Journal.Phase(), position.Head)); err != nil {
		return err
	}
	if err := e.Records.ClearScratchpad(step.Phase); err != nil {
		return err
	}
	if err := e.Journal.Apply(machine.Event{Type: machine.PhaseRecorded, Record: &machine.Record{Head: position.Head}}); err != nil {
		return err
	}
	return e.writeSummary()
}
