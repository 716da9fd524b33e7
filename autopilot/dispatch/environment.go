package dispatch

import (
	"fmt"

	"autopilot/autopilot/machine"
)

// Environment is what an agent program finds of a session: plan is where the phase's plan is or, for the planner, belongs.
func Environment(s machine.State, step machine.Step, base, plan string) map[string]string {
	env := map[string]string{"AUTOPILOT_TASK": step.Task, "AUTOPILOT_RIGOR": string(s.RigorLevel), "AUTOPILOT_BASE": base, "AUTOPILOT_PLAN": plan}
	if step.Phase > 0 {
		env["AUTOPILOT_PHASE"], env["AUTOPILOT_PHASE_NUMBER"] = fmt.Sprint(step.Phase), s.Phases[step.Phase-1].Number
	}
	return env
}
