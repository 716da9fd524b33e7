package autopilot

import (
	"context"
	"fmt"
	"os"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plans"
)

// look is ASSESS: is the plan that the session knows of there?
func (e *Engine) look(ctx context.Context, _ machine.Step) error {
	position, err := e.Repo.Position(ctx)
	if err != nil {
		return err
	}
	if e.Journal.Phase().StartCommit == "" {
		if err := e.Records.SetAttemptsAside(e.Journal.State().CurrentPhase + 1); err != nil {
			return err
		}
	}
	stood, err := e.Plans().Stood()
	if err != nil {
		return err
	}
	ev := machine.Event{Type: machine.PlanChecked, Commit: position.Head, Stood: stood}
	if known := e.Journal.Phase().PlanPath; known != "" {
		plan, err := e.Plans().Read(known)
		if err != nil && !os.IsNotExist(err) {
			e.Journal.Note("warning", fmt.Sprintf("The plan %s cannot be used: %v", known, err))
		}
		if err == nil {
			ev.Plan = plans.Facts(known, plan)
		}
	}
	return e.Journal.Apply(ev)
}

// findPlan is the last step of PLAN: the plan that the planner or a human made is read.
func (e *Engine) findPlan(_ context.Context, _ machine.Step) error {
	found, err := e.Plans().Locate()
	if err != nil {
		return err
	}
	if found.Plan == nil {
		return e.Journal.Apply(machine.Event{Type: machine.PlanMissing, Detail: found.Trouble, Several: found.Several})
	}
	return e.Journal.Apply(machine.Event{Type: machine.PlanRead, Plan: plans.Facts(found.Path, found.Plan)})
}
