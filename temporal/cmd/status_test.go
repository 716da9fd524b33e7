package cmd

import (
	"testing"
	"time"

	"go.temporal.io/api/activity/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflow/v1"
	"google.golang.org/protobuf/types/known/timestamppb"

	"autopilot/autopilot/machine"
	"autopilot/temporal/flow"
	"autopilot/temporal/payload"
	"autopilot/temporal/worker"
)

func TestStatusSaysWhatAStepWaitsFor(t *testing.T) {
	now := time.Date(2030, 1, 2, 14, 10, 0, 0, time.Local)
	ago := func(d time.Duration) *timestamppb.Timestamp { return timestamppb.New(now.Add(-d)) }
	data := payload.Converter(payload.Keys{})
	beat, err := data.ToPayloads(worker.Beat{Line: "reading main.go"})
	if err != nil {
		t.Fatal(err)
	}
	costly, err := data.ToPayloads(worker.Beat{Line: "reading main.go", Usage: machine.Usage{Dispatches: 1, InputTokens: 1200, OutputTokens: 34, CostUSD: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	gpu := &activity.ActivityOptions{TaskQueue: &taskqueue.TaskQueue{Name: flow.RunQueue("shop", "gpu")}}
	failed := &failure.Failure{Message: "no space left on device"}
	for _, row := range []struct {
		want   string
		nobody bool
		step   *workflow.PendingActivityInfo
	}{
		{"waits for a worker for run@gpu@shop", false, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_SCHEDULED, ScheduledTime: ago(8 * time.Minute), ActivityOptions: gpu, Attempt: 1}},
		{"no worker for run@gpu@shop since 2030-01-02 14:02", true, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_SCHEDULED, ScheduledTime: ago(8 * time.Minute), ActivityOptions: gpu, Attempt: 1}},
		{"no worker for run@gpu@shop since 2030-01-02 14:02; attempt 2 failed: no space left on device", true, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_SCHEDULED, ScheduledTime: ago(8 * time.Minute), ActivityOptions: gpu, LastFailure: failed, Attempt: 3}},
		{"at work for 2:00 on 7@host: reading main.go", false, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_STARTED, LastStartedTime: ago(2 * time.Minute), LastWorkerIdentity: "7@host", HeartbeatDetails: beat, Attempt: 1}},
		{"at work for 2:00 on 7@host: reading main.go (1 dispatch, 1234 tokens, 0.50 USD)", false, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_STARTED, LastStartedTime: ago(2 * time.Minute), LastWorkerIdentity: "7@host", HeartbeatDetails: costly, Attempt: 1}},
		{"at work for 2:00 on 7@host; attempt 2 failed: no space left on device", false, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_STARTED, LastStartedTime: ago(2 * time.Minute), LastWorkerIdentity: "7@host", LastFailure: failed, Attempt: 3}},
		{"attempt 2 failed: no space left on device; retrying", false, &workflow.PendingActivityInfo{State: enums.PENDING_ACTIVITY_STATE_SCHEDULED, ScheduledTime: ago(8 * time.Minute), ActivityOptions: gpu, LastFailure: failed, Attempt: 3}},
	} {
		if got := atWork(row.step, data, now, row.nobody); got != row.want {
			t.Errorf("it says %q, want %q", got, row.want)
		}
	}
}
