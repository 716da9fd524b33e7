package flow

import (
	"os"
	"slices"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"

	"autopilot/autopilot/machine"
)

// TestAServersHistoryOfEightLanesStaysShort plays a session whose lanes are of very different length, on the development server that
// TEMPORAL_CLI starts, and looks at how large the history of each run got: half of what Temporal allows is the most.
func TestAServersHistoryOfEightLanesStaysShort(t *testing.T) {
	cli := os.Getenv("TEMPORAL_CLI")
	if cli == "" {
		t.Skip("TEMPORAL_CLI doesn't name Temporal's command line program")
	}
	c, _ := devServer(t, cli, t.TempDir())
	k := &worker{script: script{seed: 1, tasks: 40, parallel: 8, phases: 1, long: true}, warm: true}
	lengths := []int{5, 144, 20, 5, 144, 20, 144, 5} // 144 are of an agent that works for 24 hours
	k.calls = func(task string) []machine.Usage {
		if task == "" {
			return nil
		}
		return slices.Repeat([]machine.Usage{{InputTokens: 1}}, lengths[int(task[len(task)-1])%8])
	}
	began := time.Now()
	var r Result
	if err := newCrowd(t, c).begin(t, "lanes", k).Get(t.Context(), &r); err != nil || r.State != machine.Done {
		t.Fatalf("it ends with %+v, %v", r, err)
	}
	t.Logf("%d events of the journal in %v", r.Revision, time.Since(began).Round(time.Second))
	long := 0
	for token := []byte(nil); ; {
		list, err := c.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{NextPageToken: token})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range list.Executions {
			if t.Logf("a run has %d events, and %d bytes", run.HistoryLength, run.HistorySizeBytes); run.HistoryLength > most || run.HistorySizeBytes > 10<<20 {
				t.Errorf("a run has %d events, and %d bytes", run.HistoryLength, run.HistorySizeBytes)
			}
			if run.HistoryLength > perUpdate*mostUpdates {
				long++
			}
		}
		if token = list.NextPageToken; len(token) == 0 {
			break
		}
	}
	if long < 2 {
		t.Errorf("%d runs were left because they got long", long)
	}
}
