package autopilot

import (
	"context"
	"fmt"
	"os"
	"slices"

	"autopilot/autopilot/halt"
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

// planEdited looks whether the plan file still says what the session knows, while it is being weighed or run; an
// edited one is asked about anew.
func (e *Engine) planEdited() (bool, error) {
	s := e.Journal.State()
	asked := s.CurrentState == machine.ApprovePlan
	running := s.CurrentState == machine.Execute && s.Gate == nil &&
		slices.Contains([]machine.StepName{machine.StepPick, machine.StepDiagnose, machine.StepDispatch}, s.Step)
	if !asked && !running {
		return false, nil
	}
	p := e.Journal.Phase()
	plan, err := e.Plans().Read(p.PlanPath)
	if os.IsNotExist(err) && s.IsImported && p.PlanSHA256 == "" {
		e.Journal.Note("info", "The plan "+p.PlanPath+" of the imported session is not there any more: the phase begins with its plan.")
		return true, e.Journal.Apply(machine.Event{Type: machine.PhaseRedone, Phase: s.CurrentPhase + 1, Detail: "the plan of the imported session is gone"})
	}
	if err != nil {
		return false, halt.Usage("the plan %s cannot be read any more: %v\nPut it back (git restore %s), then run the same command again. Or have the phase planned anew: autopilot phases %s redo %s", p.PlanPath, err, p.PlanPath, s.SpecPath, p.Number)
	}
	if plan.SHA256 == p.PlanSHA256 {
		return false, nil
	}
	e.Journal.Note("info", "The plan was edited: it is looked at again.")
	return true, e.Journal.Apply(machine.Event{Type: machine.PlanEdited, Plan: plans.Facts(p.PlanPath, plan)})
}
