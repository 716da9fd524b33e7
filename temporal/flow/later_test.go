package flow

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// TestWhatCameWithTheLastEventIsSeenBeforeTheNextRun, though the workflow's own goroutine runs first.
func TestWhatCameWithTheLastEventIsSeenBeforeTheNextRun(t *testing.T) {
	env := new(testsuite.WorkflowTestSuite).NewTestWorkflowEnvironment()
	env.ExecuteWorkflow(func(ctx workflow.Context) (seen bool, err error) {
		stops := workflow.NewBufferedChannel(ctx, 1)
		workflow.Go(ctx, func(ctx workflow.Context) { stops.Receive(ctx, nil); seen = true })
		stops.Send(ctx, true)
		err = new(session).others(ctx)
		return seen, err
	})
	var seen bool
	if err := errors.Join(env.GetWorkflowError(), env.GetWorkflowResult(&seen)); err != nil || !seen {
		t.Errorf("seen: %v, %v", seen, err)
	}
}

// TestAStepThatFailsForLongIsDoneAtLast: Temporal counts the attempts of a run.
func TestAStepThatFailsForLongIsDoneAtLast(t *testing.T) {
	k, in := wave(t)
	failed, acts := 0, map[string]bool{}
	k.instead = func(ctx context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepDispatch || a.Task != "task-001" || failed > 2*attemptsOf {
			return nil, nil
		}
		failed++
		acts[a.ID] = true
		if n := activity.GetInfo(ctx).Attempt; n > attemptsOf {
			t.Errorf("attempt %d of one act", n)
		}
		return nil, errors.New("the hub refuses it")
	}
	play(t, k, in)
	if k.hub.CurrentState != machine.Done || len(acts) < 3 {
		t.Errorf("it is %s after %d failures of %d acts", k.hub.CurrentState, failed, len(acts))
	}
}

// TestALimitThatIsOverForTheServerAloneIsWaitedFor: the clock of a worker is behind.
func TestALimitThatIsOverForTheServerAloneIsWaitedFor(t *testing.T) {
	k, in := wave(t)
	var began, ended time.Time
	looks := 0
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepPlan || looks == 6 {
			return nil, nil
		}
		if ended = k.env.Now(); looks == 0 {
			began = ended
		}
		looks++
		until := ended.Add(-time.Minute)
		return &Played{Until: &until, Limit: "a limit"}, nil
	}
	play(t, k, in)
	if waited := ended.Sub(began); looks != 6 || waited < 5*again {
		t.Errorf("%d looks within %v", looks, waited)
	}
}

// TestLanesBeginAtWhatIsOnTheHub: a person pushed a plan after the session's last commit.
func TestLanesBeginAtWhatIsOnTheHub(t *testing.T) {
	k, in := wave(t)
	k.tip = "pushed"
	play(t, k, in)
	began := 0
	for _, e := range k.kept {
		if e.Type == machine.TaskStarted && e.Lane != nil {
			if began++; e.Base != "pushed" {
				t.Errorf("%s begins at %q", e.Task, e.Base)
			}
		}
	}
	if began == 0 {
		t.Error("no lane began")
	}
}
