package taskfile

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"autopilot/autopilot/machine"

	"pgregory.net/rapid"
)

// drawnList is any list: of few tasks, so that cycles, doubled ids and missing tasks are frequent.
func drawnList(t *rapid.T) *TaskList {
	n := rapid.IntRange(0, 8).Draw(t, "tasks")
	l := &TaskList{Config: ListConfig{ConcurrencyMode: rapid.SampledFrom([]string{Exclusive, Concurrent}).Draw(t, "mode")}}
	id := rapid.Custom(func(t *rapid.T) string { return machine.TaskID(rapid.IntRange(1, n+1).Draw(t, "n")) })
	for i := range n {
		task := ListedTask{ID: machine.TaskID(i + 1), Status: machine.TaskPending, MaxAttempts: rapid.IntRange(1, 3).Draw(t, "max")}
		if rapid.IntRange(0, 9).Draw(t, "doubled") == 0 {
			task.ID = id.Draw(t, "id")
		}
		task.Priority = rapid.SampledFrom([]string{"P0", "P1", "P2", ""}).Draw(t, "priority")
		task.DependsOn = rapid.SliceOfN(id, 0, 2).Draw(t, "needs")
		task.Attempts = rapid.IntRange(0, task.MaxAttempts-1).Draw(t, "attempts")
		switch rapid.IntRange(0, 5).Draw(t, "status") {
		case 0:
			task.Status = machine.TaskCompleted
		case 1:
			task.Status, task.Attempts = machine.TaskFailed, task.Attempts+1
			task.ErrorLog = []string{rapid.SampledFrom([]string{"[TEST_FAIL] red", "[DEPENDENCY] Blocked by failed x"}).Draw(t, "error")}
		case 2:
			task.Status = rapid.SampledFrom([]string{machine.TaskRunning, "whatever"}).Draw(t, "other")
		}
		l.Tasks = append(l.Tasks, task)
	}
	return l
}

// reaches says by plain search whether a task waits for a task with an id, at whatever distance.
func reaches(l *TaskList, t *ListedTask, id string, seen map[string]bool) bool {
	if t == nil || t.Status == machine.TaskCompleted {
		return false
	}
	for _, d := range t.DependsOn {
		if d == id {
			return true
		}
		if !seen[d] {
			seen[d] = true
			if reaches(l, l.view().find(d), id, seen) {
				return true
			}
		}
	}
	return false
}

func TestAfterFailUnrunnableNothingPendingIsInACycleOrBehindALostOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawnList(t)
		was := slices.Clone(l.Tasks)
		failed := l.FailUnrunnable(listNoon)
		v := l.view()
		for i := range l.Tasks {
			task := &l.Tasks[i]
			if task.Status == machine.TaskPending && v.find(task.ID) == task && reaches(l, task, task.ID, map[string]bool{}) {
				t.Fatalf("%s is in a cycle", task.ID)
			}
			for _, d := range task.DependsOn {
				if on := v.find(d); task.Status == machine.TaskPending && on != nil && v.failedForGood(on) {
					t.Fatalf("%s is behind %s", task.ID, d)
				}
			}
			if s := was[i].Status; task.Status != s && s != machine.TaskPending && s != machine.TaskFailed {
				t.Fatalf("%s was %s", task.ID, s)
			}
			if task.Attempts != was[i].Attempts {
				t.Fatalf("%s was given an attempt", task.ID)
			}
		}
		if again := l.FailUnrunnable(listNoon); len(again) > 0 {
			t.Fatalf("failed %q, and then %q", ids(failed), ids(again))
		}
	})
}

func TestNextHasNoOpenDependency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawnList(t)
		next, ok := l.Next()
		all := l.Eligible()
		if ok != (len(all) > 0) || ok && all[0].ID != next.ID {
			t.Fatalf("next %q, eligible %q", next.ID, ids(all))
		}
		for _, task := range all {
			for _, d := range task.DependsOn {
				if !slices.ContainsFunc(l.Tasks, func(o ListedTask) bool { return o.ID == d && o.Status == machine.TaskCompleted }) {
					t.Fatalf("%s waits for %s", task.ID, d)
				}
			}
			if slices.ContainsFunc(l.Tasks, func(o ListedTask) bool { return o.ID == task.ID && o.Status == machine.TaskRunning }) {
				t.Fatalf("%s is in progress", task.ID)
			}
		}
	})
}

// TestNoTaskIsWithTwoWorkers has workers claim, end, renew and vanish in any order.
func TestNoTaskIsWithTwoWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := concurrent(drawnList(t))
		for i := range l.Tasks {
			if l.Tasks[i].Status == machine.TaskRunning {
				l.Tasks[i].Status = machine.TaskPending
			}
		}
		now := listNoon
		holds := map[string]string{} // task by worker, as the list granted it
		until := map[string]time.Time{}
		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				w := worker(t)
				got, err := l.Claim(claiming(w, "", now))
				if err != nil {
					return
				}
				for other, id := range holds {
					if id == got.ID && other != w && until[other].After(now) {
						t.Fatalf("%s was given %s, which %s has", w, id, other)
					}
				}
				if holds[w] != "" && until[w].After(now) { // a worker that claims again has left what it had
					_ = l.GiveBack(holds[w], w)
				}
				holds[w], until[w] = got.ID, *got.LeaseExpiresAt
			},
			"end": func(t *rapid.T) {
				w := worker(t)
				past := !until[w].After(now)
				var err error
				if rapid.Bool().Draw(t, "done") {
					err = l.Complete(holds[w], w, "c", now)
				} else {
					err = l.Fail(holds[w], w, CategoryTestFail, "red", rapid.Bool().Draw(t, "for good"), now)
				}
				if holds[w] != "" && !past && err != nil {
					t.Fatalf("%s could not end %s: %v", w, holds[w], err)
				}
				delete(holds, w)
			},
			"renew": func(t *rapid.T) {
				w := worker(t)
				if got, err := l.Renew(holds[w], w, now, time.Minute); err == nil {
					until[w] = *got.LeaseExpiresAt
				} else {
					delete(holds, w)
				}
			},
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "seconds")) * time.Second)
			},
			"reap": func(*rapid.T) { l.Reap(now); l.FailUnrunnable(now) },
			"": func(t *rapid.T) {
				for _, task := range l.Tasks {
					if task.Attempts > task.MaxAttempts {
						t.Fatalf("%s has %d attempts of %d", task.ID, task.Attempts, task.MaxAttempts)
					}
				}
			},
		})
	})
}

func worker(t *rapid.T) string { return fmt.Sprintf("w%d", rapid.IntRange(1, 3).Draw(t, "worker")) }

func TestTheLoopEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawnList(t)
		budget := 0
		for i := range l.Tasks {
			if l.Tasks[i].Status == machine.TaskRunning {
				l.Tasks[i].Status = machine.TaskFailed // recovery found nothing of it
				l.Tasks[i].Attempts++
			}
			budget += l.Tasks[i].MaxAttempts
		}
		for runs := 0; ; runs++ {
			l.FailUnrunnable(listNoon)
			got, err := l.Claim(claiming("w1", "", listNoon))
			if err != nil {
				break
			}
			if runs > budget {
				t.Fatalf("%d runs of at most %d", runs, budget)
			}
			if rapid.Bool().Draw(t, "done") {
				err = l.Complete(got.ID, "w1", "c", listNoon)
			} else {
				err = l.Fail(got.ID, "w1", CategoryTestFail, "red", false, listNoon)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if c := l.Counts(); c.Pending != c.Blocked {
			t.Fatalf("it ended with %s", c)
		}
	})
}

// TestWhatIsCountedAsBlockedIsWhatNeverRuns compares with what happens when all that runs succeeds.
func TestWhatIsCountedAsBlockedIsWhatNeverRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawnList(t)
		for i := range l.Tasks {
			l.Tasks[i].ID = machine.TaskID(i + 1)
			if l.Tasks[i].heldBack() {
				l.Tasks[i].ErrorLog = nil // it would wait for what is not done, and run after all
			}
		}
		able := l.view().able()
		for i := range l.Tasks {
			if l.Tasks[i].Status == machine.TaskRunning {
				l.Tasks[i].Status = machine.TaskFailed
				l.Tasks[i].Attempts = l.Tasks[i].MaxAttempts - 1
			}
		}
		for {
			got, err := l.Claim(claiming("w1", "", listNoon))
			if err != nil {
				break
			}
			if err := l.Complete(got.ID, "w1", "c", listNoon); err != nil {
				t.Fatal(err)
			}
		}
		for i, task := range l.Tasks {
			if able[i] != (task.Status == machine.TaskCompleted) {
				t.Fatalf("%s ended %s, but able: %t", task.ID, task.Status, able[i])
			}
		}
	})
}

// chained is a list in which each task waits for the one before it, or behind it.
func chained(n int, backwards bool) *TaskList {
	l := &TaskList{}
	for i := range n {
		t := ListedTask{ID: machine.TaskID(i + 1), Status: machine.TaskPending, MaxAttempts: 3}
		if on := i; backwards && i+1 < n {
			t.DependsOn = []string{machine.TaskID(i + 2)}
		} else if !backwards && on > 0 {
			t.DependsOn = []string{machine.TaskID(on)}
		}
		l.Tasks = append(l.Tasks, t)
	}
	return l
}

func TestALongChainIsFailedToItsEnd(t *testing.T) {
	for _, backwards := range []bool{false, true} {
		l := chained(10_000, backwards)
		first := &l.Tasks[0]
		if backwards {
			first = &l.Tasks[9_999]
		}
		if got := l.Eligible(); len(got) != 1 || got[0].ID != first.ID {
			t.Errorf("eligible %q", ids(got))
		}
		if c := l.Counts(); c.Blocked != 0 {
			t.Errorf("%s", c)
		}
		first.Status, first.Attempts = machine.TaskFailed, 3
		if c := l.Counts(); c.Blocked != 9_999 {
			t.Errorf("%s", c)
		}
		if failed := l.FailUnrunnable(listNoon); len(failed) != 9_999 {
			t.Errorf("%d failed", len(failed))
		}
	}
}

// BenchmarkRules measures the rules at lists that are one chain, in either order, and one cycle: time has to grow with
// the length, not with its square.
func BenchmarkRules(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		for name, make := range map[string]func() *TaskList{
			"forwards":  func() *TaskList { return chained(n, false) },
			"backwards": func() *TaskList { return chained(n, true) },
			"cycle": func() *TaskList {
				l := chained(n, false)
				l.Tasks[0].DependsOn = []string{machine.TaskID(n)}
				return l
			},
		} {
			l := make()
			b.Run(fmt.Sprintf("FailUnrunnable/%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					l := TaskList{Tasks: slices.Clone(l.Tasks)}
					l.FailUnrunnable(listNoon)
				}
			})
			b.Run(fmt.Sprintf("Eligible/%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					l.Eligible()
				}
			})
			b.Run(fmt.Sprintf("Counts/%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					l.Counts()
				}
			})
		}
	}
}
