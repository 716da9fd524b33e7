package account

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// TestFiftySessionsShareTwoLeases: some are killed while they work, some while they wait, and one meets a limit. The workflow
// goes on as a new run in the middle, and ends when all are done.
func TestFiftySessionsShareTwoLeases(t *testing.T) {
	f := newFleet(t, 50)
	runs := f.play(90 * time.Minute)
	if runs < 3 {
		t.Errorf("%d runs: the test is to go over several", runs)
	}
	for i, d := range f.dispatches {
		if d.granted.IsZero() != d.gaveUp {
			t.Errorf("dispatch %d was granted at %v", i, d.granted)
		}
	}
	if f.limited.IsZero() {
		t.Error("nobody met a limit")
	}
	if got := f.env.Now().Sub(f.lastUse); got != idle {
		t.Errorf("the workflow ends %v after it was last used", got)
	}
}

func newFleet(t *testing.T, n int) *fleet {
	t.Helper()
	f := &fleet{t: t, slots: 2}
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		d := &dispatch{fleet: f, name: fmt.Sprint("s", i), lasts: time.Duration(5+i%7) * time.Minute, next: start.Add(time.Duration(i+1) * 100 * time.Millisecond)}
		switch {
		case i%6 == 1:
			d.killed = 3 * time.Minute
		case i%6 == 5:
			d.gaveUp = true
		case i == 20:
			d.limit = 2 * time.Hour
		}
		f.dispatches = append(f.dispatches, d)
	}
	return f
}

// play runs the workflow to its end, each run for a time, and returns how many runs there were.
func (f *fleet) play(each time.Duration) int {
	var book Book
	now := f.dispatches[0].next.Add(-time.Second)
	for runs := 1; ; runs++ {
		err := f.once(now, each, book)
		now = f.env.Now()
		next, is := errors.AsType[*workflow.ContinueAsNewError](err)
		if !is {
			if err != nil {
				f.t.Fatal(err)
			}
			return runs
		}
		book = Book{}
		if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &book); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *fleet) once(now time.Time, each time.Duration, book Book) error {
	f.env = newEnv(now)
	f.env.RegisterDelayedCallback(func() { f.env.SetCurrentHistoryLength(longest + 1) }, each)
	for _, d := range f.dispatches {
		d.schedule()
	}
	f.env.ExecuteWorkflow(Account, book)
	if !f.env.IsWorkflowCompleted() {
		f.t.Fatal("the run is not over")
	}
	return f.env.GetWorkflowError()
}

func newEnv(now time.Time) *testsuite.TestWorkflowEnvironment {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestWorkflowEnvironment().SetWorkerOptions(sdk.Options{DeadlockDetectionTimeout: time.Minute}) // a busy machine is none
	env.SetStartTime(now)
	return env
}

// TestALimitKeepsTheAccountOpen: nobody asks for longer than an hour, and the limit is still known.
func TestALimitKeepsTheAccountOpen(t *testing.T) {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	limit := start.Add(5 * time.Hour)
	env := newEnv(start)
	env.RegisterDelayedCallback(func() {
		env.UpdateWorkflowNoRejection(GiveUpdate, "give", t, Release{ID: "unknown", LimitedUntil: limit})
	}, time.Minute)
	env.ExecuteWorkflow(Account, Book{})
	if err := env.GetWorkflowError(); err != nil || !env.Now().Equal(limit.Add(idle)) {
		t.Errorf("it ends at %v: %v", env.Now(), err)
	}
}
