package taskfile

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

func concurrent(l *TaskList) *TaskList {
	l.Config.ConcurrencyMode = Concurrent
	return l
}

func claiming(worker, id string, now time.Time) Claiming {
	return Claiming{Worker: worker, Task: id, Base: "c0ffee", Now: now, Lease: time.Minute}
}

func TestClaimingGivesTheTaskToTheWorker(t *testing.T) {
	l := listOf(t, "a failed - - 1/3", "b pending P2")
	l.Find("b").Checkpoints = make([]Milestone, 3)
	l.Find("b").CompletedAt = &listNoon
	got, err := l.Claim(claiming("w1", "", listNoon.Add(400*time.Millisecond)))
	if err != nil || got.ID != "b" || got.Status != machine.TaskRunning || *got.ClaimedBy != "w1" || *got.StartedAtCommit != "c0ffee" {
		t.Fatalf("%+v, %v", got, err)
	}
	if !got.ClaimedAt.Equal(listNoon) || !got.LeaseExpiresAt.Equal(listNoon.Add(61*time.Second)) {
		t.Errorf("claimed at %s until %s", got.ClaimedAt, got.LeaseExpiresAt)
	}
	if got.Checkpoints != nil || got.CompletedAt != nil {
		t.Errorf("an earlier attempt shows: %+v", got)
	}
	if l.Find("b").Status != machine.TaskRunning {
		t.Error("the list does not have it")
	}
}

func TestAClaimWithoutAnIdentityOrABaseNamesNone(t *testing.T) {
	l := listOf(t, "a failed - - 1/3")
	old := "an older base"
	l.Find("a").StartedAtCommit = &old
	got, err := l.Claim(Claiming{Now: listNoon, Lease: time.Minute})
	if err != nil || got.ClaimedBy != nil || got.StartedAtCommit != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	renewed, err := l.Renew("a", "", listNoon, time.Minute)
	if err != nil || renewed.ClaimedBy != nil {
		t.Errorf("%+v, %v", renewed, err)
	}
	if taken, err := l.Renew("a", "w1", listNoon, time.Minute); err != nil || *taken.ClaimedBy != "w1" {
		t.Errorf("an unnamed claim is everybody's: %+v, %v", taken, err)
	}
}

func TestClaimsThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		list *TaskList
		task string
		want error
	}{
		"nothing is there":                  {listOf(t), "", ErrNothingToDo},
		"nothing can begin":                 {listOf(t, "a completed", "b pending - c"), "", ErrNothingToDo},
		"it cannot begin":                   {listOf(t, "a pending - b", "b"), "a", ErrNothingToDo},
		"it is not there":                   {listOf(t, "a"), "z", ErrNoTask},
		"another has it":                    {concurrent(listOf(t, "a in_progress", "b")), "a", ErrNothingToDo},
		"one at a time":                     {listOf(t, "a in_progress", "b"), "", &BusyError{ID: "a"}},
		"one at a time, and it is that one": {listOf(t, "a in_progress", "b"), "a", &BusyError{ID: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := fmt.Sprintf("%+v", c.list.Tasks)
			_, err := c.list.Claim(claiming("w1", c.task, listNoon))
			var busy *BusyError
			if !errors.Is(err, c.want) && (!errors.As(c.want, &busy) || !errors.As(err, &busy)) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if after := fmt.Sprintf("%+v", c.list.Tasks); after != before {
				t.Errorf("the list was changed: %s", after)
			}
		})
	}
}

func TestWorkersOfAConcurrentListGetDifferentTasks(t *testing.T) {
	l := concurrent(listOf(t, "a", "b", "c pending - a"))
	for worker, want := range []string{"a", "b"} {
		if got, err := l.Claim(claiming(fmt.Sprint(worker), "", listNoon)); err != nil || got.ID != want {
			t.Errorf("%s, %v, want %s", got.ID, err, want)
		}
	}
	if _, err := l.Claim(claiming("w3", "", listNoon)); !errors.Is(err, ErrNothingToDo) {
		t.Errorf("error %v", err)
	}
}

func TestALeaseThatWasTakenOrReapedCannotBeRenewed(t *testing.T) {
	late := listNoon.Add(2 * time.Minute)
	for name, c := range map[string]struct {
		between func(*TaskList)
		want    error
	}{
		"nothing happened":             {func(*TaskList) {}, nil},
		"it was reaped":                {func(l *TaskList) { l.Reap(late) }, ErrNotRunning},
		"it was reaped and taken":      {func(l *TaskList) { l.Reap(late); _, _ = l.Claim(claiming("w2", "a", late)) }, ErrNotYours},
		"it was taken":                 {func(l *TaskList) { w := "w2"; l.Find("a").ClaimedBy = &w }, ErrNotYours},
		"it was completed":             {func(l *TaskList) { l.Find("a").Status = machine.TaskCompleted }, ErrNotRunning},
		"it is gone":                   {func(l *TaskList) { l.Tasks = nil }, ErrNoTask},
		"reaped before it was past":    {func(l *TaskList) { l.Reap(listNoon.Add(59 * time.Second)) }, nil},
		"reaped the moment it is":      {func(l *TaskList) { l.Reap(listNoon.Add(time.Minute)) }, ErrNotRunning},
		"claimed by the same one anew": {func(l *TaskList) { l.Reap(late); _, _ = l.Claim(claiming("w1", "a", late)) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := concurrent(listOf(t, "a"))
			if _, err := l.Claim(claiming("w1", "a", listNoon)); err != nil {
				t.Fatal(err)
			}
			c.between(l)
			got, err := l.Renew("a", "w1", late, time.Minute)
			if !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if err == nil && !got.LeaseExpiresAt.Equal(late.Add(time.Minute)) {
				t.Errorf("until %s", got.LeaseExpiresAt)
			}
			if again := l.Complete("a", "w1", "c", late); !errors.Is(again, c.want) {
				t.Errorf("completing: %v, want %v", again, c.want)
			}
		})
	}
}

func TestReapingTakesOnlyWhatIsPast(t *testing.T) {
	l := concurrent(listOf(t, "a", "b", "c in_progress", "d in_progress - - 2/3"))
	for i, lease := range []time.Duration{time.Minute, time.Hour} {
		if _, err := l.Claim(Claiming{Worker: fmt.Sprint("w", i), Now: listNoon, Lease: lease}); err != nil {
			t.Fatal(err)
		}
	}
	l.Find("d").LeaseExpiresAt = &listNoon
	if spared := l.Reap(listNoon.Add(2*time.Minute), "w1", "w0"); ids(spared) != "d" {
		t.Fatalf("reaped %q, with w0 at work", ids(spared))
	}
	l.Find("d").Status, l.Find("d").Attempts, l.Find("d").LeaseExpiresAt = machine.TaskRunning, 2, &listNoon
	reaped := l.Reap(listNoon.Add(2 * time.Minute))
	if ids(reaped) != "a d" || l.Find("b").Status != machine.TaskRunning || l.Find("c").Status != machine.TaskRunning {
		t.Fatalf("reaped %q", ids(reaped))
	}
	a, d := l.Find("a"), l.Find("d")
	if a.Attempts != 1 || a.ErrorLog[0] != "[SESSION_TIMEOUT] Lease expired (claimed_by=w0)" || a.ClaimedBy != nil || a.ClaimedAt != nil || a.LeaseExpiresAt != nil {
		t.Errorf("%+v", a)
	}
	if d.Attempts != 3 || ids(l.Eligible()) != "a" {
		t.Errorf("%+v, eligible %q", d, ids(l.Eligible()))
	}
}

func TestAStepRenewsTheLease(t *testing.T) {
	l := listOf(t, "a")
	if _, err := l.Claim(claiming("w1", "a", listNoon)); err != nil {
		t.Fatal(err)
	}
	at := listNoon.Add(30*time.Second + 5)
	if err := l.Reach("a", "w1", Milestone{Step: 1, Total: 3, Description: "half", Timestamp: at}, time.Minute); err != nil {
		t.Fatal(err)
	}
	a := l.Find("a")
	if len(a.Checkpoints) != 1 || a.Checkpoints[0].Timestamp != listNoon.Add(30*time.Second) || a.LeaseExpiresAt.Before(at.Add(time.Minute)) {
		t.Errorf("%+v until %s", a.Checkpoints, a.LeaseExpiresAt)
	}
	if err := l.Reach("a", "w2", Milestone{Timestamp: at}, time.Minute); !errors.Is(err, ErrNotYours) || len(a.Checkpoints) != 1 {
		t.Errorf("error %v", err)
	}
}

func TestTheEndsOfATask(t *testing.T) {
	for name, c := range map[string]struct {
		line     string
		end      func(*TaskList) error
		status   string
		attempts int
	}{
		"completed":                         {"a", func(l *TaskList) error { return l.Complete("a", "w1", "abc", listNoon) }, machine.TaskCompleted, 0},
		"failed":                            {"a", func(l *TaskList) error { return l.Fail("a", "w1", CategoryTestFail, "red", false, listNoon) }, machine.TaskFailed, 1},
		"failed for good":                   {"a", func(l *TaskList) error { return l.Fail("a", "w1", CategoryTaskExec, "no base", true, listNoon) }, machine.TaskFailed, 3},
		"given back":                        {"a", func(l *TaskList) error { return l.GiveBack("a", "w1") }, machine.TaskPending, 0},
		"given back after a failure":        {"a failed - - 1/3 -5", func(l *TaskList) error { return l.GiveBack("a", "w1") }, machine.TaskFailed, 1},
		"given back, set back by hand once": {"a pending - - 3/3", func(l *TaskList) error { return l.GiveBack("a", "w1") }, machine.TaskPending, 3},
	} {
		t.Run(name, func(t *testing.T) {
			l := listOf(t, c.line)
			if _, err := l.Claim(claiming("w1", "a", listNoon)); err != nil {
				t.Fatal(err)
			}
			if err := c.end(l); err != nil {
				t.Fatal(err)
			}
			a := l.Find("a")
			if a.Status != c.status || a.Attempts != c.attempts || a.ClaimedBy != nil || a.ClaimedAt != nil || a.LeaseExpiresAt != nil {
				t.Errorf("%+v", a)
			}
			if err := c.end(l); !errors.Is(err, ErrNotRunning) {
				t.Errorf("a second time: %v", err)
			}
			for what, err := range map[string]error{
				"renew": second2(l.Renew("a", "w1", listNoon, time.Minute)), "fail": l.Fail("z", "w1", "", "", false, listNoon),
			} {
				if err == nil {
					t.Errorf("%s: no error", what)
				}
			}
		})
	}
	l := listOf(t, "a")
	_, _ = l.Claim(claiming("w1", "a", listNoon))
	_ = l.Complete("a", "w1", "abc", listNoon)
	if a := l.Find("a"); a.Commit != "abc" || !a.CompletedAt.Equal(listNoon) {
		t.Errorf("%+v", a)
	}
}

func second2(_ ListedTask, err error) error { return err }
