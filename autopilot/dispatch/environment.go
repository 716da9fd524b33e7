package dispatch

import (
	"fmt"

	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// Environment is what an agent program finds in its environment: paths are absolute, plan is where the phase's plan is
// or, for the planner, belongs.
func Environment(s machine.State, step machine.Step, d personas.Dispatch, base, plan string) map[string]string {
	env := map[string]string{
		"AUTOPILOT_REPLY": d.ReplyPath, "AUTOPILOT_PERSONA": step.Persona, "AUTOPILOT_TASK": step.Task,
		"AUTOPILOT_ATTEMPT": fmt.Sprint(step.Attempt), "AUTOPILOT_SESSION_DIR": d.SessionDir, "AUTOPILOT_SPEC": d.SpecCopy,
		"AUTOPILOT_RIGOR": string(s.RigorLevel), "AUTOPILOT_BASE": base, "AUTOPILOT_SCRATCHPAD": d.ScratchpadDir,
		"AUTOPILOT_PHASE": "", "AUTOPILOT_PHASE_NUMBER": "", "AUTOPILOT_PLAN": plan,
	}
	if step.Phase > 0 {
		p := s.Phases[step.Phase-1]
		env["AUTOPILOT_PHASE"], env["AUTOPILOT_PHASE_NUMBER"] = fmt.Sprint(step.Phase), p.Number
	}
	return env
}
