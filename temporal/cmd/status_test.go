package cmd

import (
	"strings"
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

// TestStatusShowsTheWholeQuestion while somebody can take an answer: on one machine, answer shows it.
func TestStatusShowsTheWholeQuestion(t *testing.T) {
	m := newMine(t)
	s := *m.first("s1")
	s.Revision, s.CurrentState = 9, machine.ApprovePlan
	s.Tasks = []machine.Task{{ID: "task-001", Title: "Say hello", Files: []string{"hello.go"}, Status: machine.TaskPending}}
	s.Gate = &machine.Gate{ID: "g9", Kind: machine.GateApprovePlan, State: machine.ApprovePlan, Question: "Approve the plan?", Options: machine.GateOptions[machine.GateApprovePlan]}
	m.server.state, m.server.events = s, []machine.Event{}
	for _, c := range []struct {
		status enums.WorkflowExecutionStatus
		kind   machine.GateKind
		want   []string
		not    string
	}{
		{
			status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING, kind: machine.GateApprovePlan,
			want: []string{"1  Say hello  hello.go", "start working on the tasks\n      autopilot-temporal answer docs/spec.md approve\n", "autopilot-temporal answer docs/spec.md revise --reason", "autopilot-temporal stop docs/spec.md\n"},
			not:  "  autopilot ",
		},
		{
			status: enums.WORKFLOW_EXECUTION_STATUS_RUNNING, kind: machine.GatePlanWanted,
			want: []string{"autopilot-temporal answer docs/spec.md done\n", "before you answer: push the plan to the branch main\n"}, not: "  autopilot ",
		},
		{
			status: enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, kind: machine.GateApprovePlan,
			want: []string{"autopilot-temporal fetch docs/spec.md\n", "autopilot-temporal submit docs/spec.md --from-session\n"}, not: "answer",
		},
	} {
		m.server.workflows[m.workflow("spec")] = c.status
		s.Gate.Kind, s.Gate.Options = c.kind, machine.GateOptions[c.kind]
		said, code := m.types("status", spec)
		for _, want := range c.want {
			if code != 0 || !strings.Contains(said, want) {
				t.Errorf("%s, %s: it ends with %d and says\n%snot %q", c.status, c.kind, code, said, want)
			}
		}
		if strings.Contains(said, c.not) {
			t.Errorf("%s, %s: it says %q\n%s", c.status, c.kind, c.not, said)
		}
	}
}

// TestListSaysHowItShowsMore where the server has no search attributes.
func TestListSaysHowItShowsMore(t *testing.T) {
	m := newMine(t)
	m.server.workflows["autopilot/example.com/shop/spec"] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
	for _, attributes := range []map[string]enums.IndexedValueType{{}, registered()} {
		m.server.attributes = attributes
		said, code := m.types("list")
		if code != 0 || !strings.Contains(said, "autopilot/example.com/shop/spec") || strings.Contains(said, "doctor --setup") != (len(attributes) == 0) {
			t.Errorf("with %v it ends with %d and says\n%s", attributes, code, said)
		}
	}
}

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
