package flow

import (
	"testing"

	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

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

// TestEachSessionHasAFairnessKeyOfItsOwn, by which a server that is set to be fair has sessions take turns.
func TestEachSessionHasAFairnessKeyOfItsOwn(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.ExecuteWorkflow(func(ctx workflow.Context) (string, error) {
		w := &session{s: machine.State{SessionID: "s1"}, job: Job{Repository: "shop"}}
		return workflow.GetActivityOptions(w.withOptions(ctx, machine.Step{Name: machine.StepDispatch}, 1)).Priority.FairnessKey, nil
	})
	var key string
	if err := env.GetWorkflowResult(&key); err != nil || key != "s1" {
		t.Errorf("its acts have the key %q: %v", key, err)
	}
}
