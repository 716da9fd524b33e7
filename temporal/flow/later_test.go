package flow

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
)

// TestWhatCameWithTheLastEventIsSeenBeforeTheNextRun, though the workflow's own goroutine runs first.
func TestWhatCameWithTheLastEventIsSeenBeforeTheNextRun(t *testing.T) {
	env := newEnv()
	env.ExecuteWorkflow(func(ctx workflow.Context) (seen bool, err error) {
		stops := workflow.NewBufferedChannel(ctx, 1)
		workflow.Go(ctx, func(ctx workflow.Context) { stops.Receive(ctx, nil); seen = true })
		stops.Send(ctx, true)
		err = new(session).letOthersRun(ctx)
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
	if waited := ended.Sub(began); looks != 6 || waited < 5*leastWait {
		t.Errorf("%d looks within %v", looks, waited)
	}
}

// TestLimitsInARowAreCounted, and forgotten once an agent's run came through: as on one machine, a session does not wait for ever.
func TestLimitsInARowAreCounted(t *testing.T) {
	s := script{seed: 4, tasks: 2}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	got, met := []int{}, map[machine.StepName]int{}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepPlan && a.Step != machine.StepDispatch || len(got) == 6 {
			return nil, nil
		}
		got = append(got, a.Waited.Fruitless)
		if met[a.Step]++; met[a.Step] == 3 {
			return nil, nil
		}
		until := k.env.Now().Add(time.Hour)
		return &Played{Until: &until, Limit: "a limit", Waited: budget.Waited{Fruitless: a.Waited.Fruitless + 1}}, nil
	}
	play(t, k, Input{First: s.first()})
	if want := []int{0, 1, 2, 0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("workers learn of %v limits in a row, want %v", got, want)
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

// TestALaneKeepsItsWorkFromAttemptToAttempt: a task that failed is tried again with what is there.
func TestALaneKeepsItsWorkFromAttemptToAttempt(t *testing.T) {
	again := 0
	for seed := range uint64(5) {
		k := &worker{script: script{seed: seed, tasks: 5, bad: 0.4, parallel: 3}, dir: filepath.Join(t.TempDir(), "workflow"), works: map[string]string{}}
		k.took = func(a Act, want, got string) {
			if a.Task != "" && want != got {
				t.Errorf("seed %d: %s at %s begins with %q, and was left with %q", seed, a.Task, a.Step, got, want)
			}
			if a.Task != "" && want != "" && a.Step == machine.StepDispatch {
				again++
			}
		}
		play(t, k, Input{First: k.script.first()})
	}
	if again == 0 {
		t.Error("no task was tried again in its lane")
	}
}

// TestTheWorkOfALostWorkerOutlivesItsAct: the step is another act after so many failures, and no heartbeat tells of it.
func TestTheWorkOfALostWorkerOutlivesItsAct(t *testing.T) {
	k, in := wave(t)
	failed, lost := 0, map[string]string{}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Step != machine.StepDispatch || a.Task != "task-001" || failed == 2*attemptsOf {
			return nil, nil
		}
		failed++
		lost[a.ID] = a.Lost
		left := Left{Work: "saved"}
		return nil, temporal.NewApplicationErrorWithOptions("the hub is away", "", temporal.ApplicationErrorOptions{Details: []any{left}})
	}
	play(t, k, in)
	if works := slices.Sorted(maps.Values(lost)); !slices.Equal(works, []string{"", "saved"}) {
		t.Errorf("the acts began with %q", works)
	}
}

// TestALookThatNobodyCouldTakeIsTakenLater: the question may need no person.
func TestALookThatNobodyCouldTakeIsTakenLater(t *testing.T) {
	s := script{seed: 1, tasks: 3, bad: 0.3}
	k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow")}
	first, failed, looks := "", 0, map[string]bool{}
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		st, _, err := k.now()
		if err != nil || a.Step != machine.StepWait || a.Answer != nil || first != "" && st.Gate.ID != first {
			return nil, err
		}
		first, looks[a.ID] = st.Gate.ID, true
		if failed++; failed <= attemptsOf {
			return nil, errors.New("the hub is away")
		}
		return nil, nil
	}
	play(t, k, Input{First: s.first()})
	if len(looks) != 2 || failed != attemptsOf+1 {
		t.Errorf("%d looks at %q, %d failed", len(looks), first, failed)
	}
}

// TestTimeInWhichAllWorkersWereLostDoesNotRun: there were two, and one comes back first.
func TestTimeInWhichAllWorkersWereLostDoesNotRun(t *testing.T) {
	env := newEnv()
	env.ExecuteWorkflow(func(ctx workflow.Context) (elapsed float64, err error) {
		s := script{seed: 1, tasks: 1}
		w := &session{acts: map[string]*attempt{"": {act: "1"}, "other": {act: "2"}}, works: map[string]string{}}
		err = w.apply(ctx, machine.Event{Type: machine.Created, Initial: s.first()}, 0)
		take := func(act, task string, attempt int32) {
			_, failed := w.take(ctx, Take{Act: act, Task: task, Attempt: attempt, Revision: w.s.Revision})
			err = errors.Join(err, failed)
		}
		record := func(attempt int32) {
			e := s.next(w.s)
			e.Rev = w.s.Revision + 1
			_, failed := w.record(ctx, Record{Act: "1", Attempt: attempt, Event: e, Ran: time.Minute})
			err = errors.Join(err, failed)
		}
		take("1", "", 1)
		take("2", "other", 1)
		record(1) // the run begins
		err = errors.Join(err, workflow.Sleep(ctx, 10*time.Hour))
		take("1", "", 2)
		err = errors.Join(err, workflow.Sleep(ctx, time.Minute))
		record(2)
		return w.s.Elapsed, err
	})
	var elapsed float64
	if err := errors.Join(env.GetWorkflowError(), env.GetWorkflowResult(&elapsed)); err != nil || elapsed != time.Minute.Seconds() {
		t.Errorf("%v s ran, %v", elapsed, err)
	}
}
