package plans

import (
	"os"
	"slices"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
)

// Edited looks whether the plan file still says what the session knows, while it is being weighed or run; an
// edited one is asked about anew.
func (ps Plans) Edited() (bool, error) {
	s := ps.Journal.State()
	asked := s.CurrentState == machine.ApprovePlan
	running := s.CurrentState == machine.Execute && s.Gate == nil &&
		slices.Contains([]machine.StepName{machine.StepPick, machine.StepDiagnose, machine.StepDispatch}, s.Step)
	if !asked && !running {
		return false, nil
	}
	p := ps.Journal.Phase()
	plan, err := ps.Read(p.PlanPath)
	if os.IsNotExist(err) && s.IsImported && p.PlanSHA256 == "" {
		ps.Journal.Note("info", "The plan "+p.PlanPath+" of the imported session is not there any more: the phase begins with its plan.")
		return true, ps.Journal.Apply(machine.Event{Type: machine.PhaseRedone, Phase: s.CurrentPhase + 1, Detail: "the plan of the imported session is gone"})
	}
	if err != nil {
		return false, halt.Usage("the plan %s cannot be read any more: %v\nPut it back (git restore %s), then run the same command again. Or have the phase planned again: autopilot phases %s redo %s", p.PlanPath, err, p.PlanPath, s.SpecPath, p.Number)
	}
	if plan.SHA256 == p.PlanSHA256 {
		return false, nil
	}
	ps.Journal.NoteEvent("The plan was edited: it is looked at again.")
	return true, ps.Journal.Apply(machine.Event{Type: machine.PlanEdited, Plan: Facts(p.PlanPath, plan)})
}

// Bring records that the plan of a phase, an index, is there and is a human's choice, at a path relative to the working
// tree; without one, that a human wants to make it. The run that comes to the phase takes it. own is the SHA-256 of a plan that
// is all this human's; a planner that was at work on the phase makes it none.
func (ps Plans) Bring(at int, path, by, own string) error {
	stood, err := ps.Stood()
	if err != nil {
		return err
	}
	if ps.Journal.State().Phases[at].HadPlanner() {
		own = ""
	}
	return ps.Journal.Apply(machine.Event{Type: machine.PlanBrought, Phase: at + 1, Detail: path, By: by, Own: own, Stood: stood})
}
