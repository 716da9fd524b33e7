package flow

import (
	"testing"

	"autopilot/autopilot/machine"
)

// TestACapabilityHoldsForAllThatRuns: agents, checks, and the hooks of commits. What is quick waits for no place where no capability is
// needed.
func TestACapabilityHoldsForAllThatRuns(t *testing.T) {
	gpu, none := Job{Repository: "shop", Capability: "gpu"}, Job{Repository: "shop"}
	for _, c := range []struct {
		job  Job
		step machine.StepName
		want string
	}{
		{gpu, machine.StepDispatch, "run@gpu@shop"},
		{gpu, machine.StepValidate, "run@gpu@shop"},
		{gpu, machine.StepPick, "git@shop"},
		{gpu, machine.StepCommit, "run@gpu@shop"},
		{gpu, machine.StepPlanCommit, "run@gpu@shop"},
		{gpu, machine.StepClose, "run@gpu@shop"},
		{gpu, machine.StepWait, "git@shop"},
		{none, machine.StepDispatch, "run@shop"},
		{none, machine.StepCommit, "git@shop"},
	} {
		if got, _ := QueueOf(c.job, machine.Step{Name: c.step}); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.step, c.job.Capability, got, c.want)
		}
	}
}
