package flow

import (
	"os"
	"slices"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"autopilot/autopilot/machine"
)

// TestAServersHistoryOfEightLanesStaysShort plays a session whose lanes are of very different length, on the development server that
// TEMPORAL_CLI starts, and looks at how large the history of each run got: it has at most half of the events that Temporal allows, and a fifth of the bytes.
func TestAServersHistoryOfEightLanesStaysShort(t *testing.T) {
	cli := os.Getenv("TEMPORAL_CLI")
	if cli == "" {
		t.Skip("TEMPORAL_CLI doesn't name Temporal's command line program")
	}
	c, _ := devServer(t, cli, t.TempDir())
	k := &worker{script: script{seed: 1, tasks: 40, parallel: 8, phases: 1, long: true}, warm: true}
	k.calls = callsOfADay
	began := time.Now()
	var r Result
	if err := newCrowd(t, c).begin(t, "lanes", k).Get(t.Context(), &r); err != nil || r.State != machine.Done {
		t.Fatalf("it ends with %+v, %v", r, err)
	}
	t.Logf("%d events of the journal in %v", r.Revision, time.Since(began).Round(time.Second))
	long := 0
	for _, run := range runsOf(t, c) {
		if t.Logf("a run has %d events, and %d bytes", run.HistoryLength, run.HistorySizeBytes); run.HistoryLength > most || run.HistorySizeBytes > 10<<20 {
			t.Errorf("a run has %d events, and %d bytes", run.HistoryLength, run.HistorySizeBytes)
		}
		if run.HistoryLength > perUpdate*mostUpdates {
			long++
		}
	}
	if long < 2 {
		t.Errorf("%d runs were left because they got long", long)
	}
}

// runsOf are those of a server's only session, once it lists that the last one is over.
func runsOf(t *testing.T, c client.Client) []*workflow.WorkflowExecutionInfo {
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		list, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		left := func(run *workflow.WorkflowExecutionInfo) bool {
			return run.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED && run.Status != enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW
		}
		if ended := slices.ContainsFunc(list.Executions, func(run *workflow.WorkflowExecutionInfo) bool {
			return run.Status == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
		}); ended && !slices.ContainsFunc(list.Executions, left) {
			return list.Executions
		}
	}
	t.Fatal("the server does not list the end")
	return nil
}
