package closing

import (
	"context"
	"fmt"

	"autopilot/autopilot/machine"
)

// Phase writes what belongs to the end of a phase.
func (c Closing) Phase(ctx context.Context, step machine.Step) error {
	if err := c.syncRoadmap(ctx); err != nil || c.Journal.State().Gate != nil {
		return err
	}
	position, err := c.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if err := c.Records.WriteJSON(fmt.Sprintf("phase-%d-review.json", step.Phase), machine.ReviewShown(c.Journal.State(), position.Head)); err != nil {
		return err
	}
	if err := c.Records.WriteJSON(metricsName(step.Phase), phaseMetrics{machine.MetricsOf(step.Phase, c.Journal.State().Tasks)}); err != nil {
		return err
	}
	if err := c.Records.ClearScratchpad(step.Phase); err != nil {
		return err
	}
	if err := c.Journal.Apply(machine.Event{Type: machine.PhaseRecorded, Record: &machine.Record{Head: position.Head}}); err != nil {
		return err
	}
	return c.Summary(ctx)
}
