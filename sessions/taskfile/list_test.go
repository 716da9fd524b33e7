package taskfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
)

var listNoon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

// listOf makes a list of lines "id status priority deps attempts/max failed-at-minute error", of which all but the id may
// be left out or be "-".
func listOf(t interface{ Fatalf(string, ...any) }, lines ...string) *TaskList {
	l := &TaskList{Version: 2}
	for _, line := range lines {
		f := append(strings.SplitN(line, " ", 7), "-", "-", "-", "-", "-", "-")
		task := ListedTask{ID: f[0], Status: machine.TaskPending, Priority: "P1", MaxAttempts: DefaultListedAttempts}
		for i, set := range []func(string){
			func(s string) { task.Status = s },
			func(s string) { task.Priority = s },
			func(s string) { task.DependsOn = strings.Split(s, ",") },
			func(s string) {
				if _, err := fmt.Sscanf(s, "%d/%d", &task.Attempts, &task.MaxAttempts); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			},
			func(s string) {
				minutes, err := time.ParseDuration(s + "m")
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				task.FailedAt = second(listNoon.Add(minutes))
			},
			func(s string) { task.ErrorLog = []string{s} },
		} {
			if f[i+1] != "-" {
				set(f[i+1])
			}
		}
		l.Tasks = append(l.Tasks, task)
	}
	return l
}

func ids(tasks []ListedTask) string {
	var all []string
	for _, t := range tasks {
		all = append(all, t.ID)
	}
	return strings.Join(all, " ")
}

func TestATaskThatIsWrittenWronglyIsPassedOverAndNamed(t *testing.T) {
	l := TaskList{Tasks: []ListedTask{
		{Status: machine.TaskPending, MaxAttempts: 3, Priority: "P0"},
		{ID: "b", Status: machine.TaskPending, MaxAttempts: 3},
		{Status: machine.TaskFailed, MaxAttempts: 3},
		{ID: "d", Status: "done", MaxAttempts: 3},
	}}
	if next, ok := l.Next(); !ok || next.ID != "b" || len(l.Eligible()) != 1 {
		t.Errorf("next is %q of %v", next.ID, l.Eligible())
	}
	if got := fmt.Sprint(l.Miswritten()); got != `[tasks[0] has no id tasks[2] has no id tasks[3] (d) has the status "done", which is none of pending, in_progress, completed, failed]` {
		t.Error(got)
	}
	l.NoTasks = []int{0, 1, 3}
	if got := fmt.Sprint(l.Miswritten()[:2]); got != "[tasks[2] has no id tasks[5] has no id]" {
		t.Error(got)
	}
	if c := l.Counts(); c.Blocked != 2 {
		t.Errorf("%d are blocked", c.Blocked)
	}
}

func TestTasksWithOneIDAreNamed(t *testing.T) {
	l := TaskList{NoTasks: []int{0}, Tasks: []ListedTask{
		{ID: "a", Status: machine.TaskCompleted},
		{ID: "b", Status: machine.TaskPending},
		{ID: "a", Status: machine.TaskCompleted},
		{Status: machine.TaskPending},
		{Status: machine.TaskPending},
		{ID: "b", Status: machine.TaskFailed},
		{ID: "a", Status: machine.TaskPending},
	}}
	if got := fmt.Sprint(l.Doubled()); got != "[tasks[6] has the id b of tasks[2] tasks[7] has the id a of tasks[1]]" {
		t.Error(got)
	}
}

func TestTasksAreSelectedInTheirOrder(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"none":                                  {nil, ""},
		"priority goes before the id":           {[]string{"t1 pending P2", "t2 pending P0", "t3 pending P1"}, "t2 t3 t1"},
		"without a priority it comes last":      {[]string{"t1 pending urgent", "t2 pending P2"}, "t2 t1"},
		"ids are ordered as people count":       {[]string{"task-10", "task-9", "task-100"}, "task-9 task-10 task-100"},
		"what waits is left out":                {[]string{"t1", "t2 pending P0 t1"}, "t1"},
		"all dependencies have to be completed": {[]string{"t1 completed", "t2 in_progress", "t3 pending - t1,t2", "t4 pending - t1"}, "t4"},
		"a dependency that is not there":        {[]string{"t1 pending - t9"}, ""},
		"depends_on that is no list":            {[]string{"t1 pending - x"}, ""},
		"pending goes before failed":            {[]string{"t1 failed P0 - 1/3", "t2 pending P2"}, "t2 t1"},
		"of the failed the oldest failure":      {[]string{"t1 failed - - 1/3 5", "t2 failed - - 1/3 2", "t3 failed P0 - 1/3 9"}, "t3 t2 t1"},
		"a failure without a time is the oldest": {
			[]string{"t1 failed - - 1/3 5", "t2 failed - - 1/3", "t10 failed - - 1/3"}, "t2 t10 t1",
		},
		"no attempts left":                       {[]string{"t1 failed - - 3/3", "t2 failed - - 4/3"}, ""},
		"failed, and its dependency is not done": {[]string{"t1", "t2 failed P0 t1 1/3"}, "t1"},
		"set back by hand it runs once more":     {[]string{"t1 pending - - 3/3"}, "t1"},
		"held back, and what it waited for is done": {
			[]string{"t1 completed", "t2 failed - t1 0/3 1 [DEPENDENCY] Blocked by failed t1"}, "t2",
		},
		"a status that nobody knows":        {[]string{"t1 blocked", "t2 skipped"}, ""},
		"two with one id, one of them done": {[]string{"t1 completed", "t1", "t2 pending P0 t1"}, "t2 t1"},
		"two with one id, one in progress":  {[]string{"t1", "t1 in_progress"}, ""},
		"completed and in progress":         {[]string{"t1 completed", "t2 in_progress"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := listOf(t, c.lines...)
			if got := ids(l.Eligible()); got != c.want {
				t.Errorf("eligible: %q, want %q", got, c.want)
			}
			next, ok := l.Next()
			if first, _, _ := strings.Cut(c.want, " "); next.ID != first || ok != (first != "") {
				t.Errorf("next: %q %t, want %q", next.ID, ok, first)
			}
		})
	}
}

func TestWhatCanNeverRunIsFailed(t *testing.T) {
	cycle, blocked := "[DEPENDENCY] Circular dependency detected: ", "[DEPENDENCY] Blocked by failed "
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"nothing":                           {[]string{"t1", "t2 pending - t1"}, nil},
		"a task that waits for itself":      {[]string{"a pending - a"}, []string{"a " + cycle + "a -> a"}},
		"two":                               {[]string{"a pending - b", "b pending - a"}, []string{"a " + cycle + "a -> b -> a", "b " + cycle + "b -> a -> b"}},
		"each is told the shortest chain":   {[]string{"a pending - b,c", "b pending - c", "c pending - a"}, []string{"a " + cycle + "a -> c -> a", "b " + cycle + "b -> c -> a -> b", "c " + cycle + "c -> a -> c"}},
		"two cycles that meet":              {[]string{"a pending - b", "b pending - a,c", "c pending - b"}, []string{"a " + cycle + "a -> b -> a", "b " + cycle + "b -> a -> b", "c " + cycle + "c -> b -> c"}},
		"behind a cycle, at any distance":   {[]string{"d pending - c", "c pending - a", "a pending - a"}, []string{"a " + cycle + "a -> a", "c " + blocked + "a", "d " + blocked + "c"}},
		"a completed one breaks the cycle":  {[]string{"a pending - b", "b completed - a"}, nil},
		"one in progress is left alone":     {[]string{"a pending - b", "b in_progress - a"}, []string{"a " + cycle + "a -> b -> a"}},
		"a failed one with attempts left":   {[]string{"a failed - a 1/3"}, []string{"a " + cycle + "a -> a"}},
		"a failed one without":              {[]string{"a failed - a 3/3"}, nil},
		"behind one without attempts":       {[]string{"a failed - - 3/3", "b pending - a", "c failed - b 1/3"}, []string{"b " + blocked + "a", "c " + blocked + "b"}},
		"behind one with attempts left":     {[]string{"a failed - - 2/3", "b pending - a"}, nil},
		"behind one that was held back":     {[]string{"z", "a failed - z 0/3 1 [DEPENDENCY] Blocked by failed z", "b pending - a"}, []string{"b " + blocked + "a"}},
		"behind one that is free again":     {[]string{"z completed", "a failed - z 0/3 1 [DEPENDENCY] Blocked by failed z", "b pending - a"}, nil},
		"the first of several reasons":      {[]string{"a failed - - 3/3", "b failed - - 3/3", "c pending - b,a"}, []string{"c " + blocked + "a"}},
		"a dependency that is not there":    {[]string{"a pending - x"}, nil},
		"a cycle of tasks that are not":     {[]string{"a pending - x,y"}, nil},
		"one with the id of a lost one":     {[]string{"a failed - - 3/3", "a completed", "b pending - a"}, nil},
		"a dependency that is named twice":  {[]string{"a failed - - 3/3", "b pending - a,a"}, []string{"b " + blocked + "a"}},
		"behind one that is still going on": {[]string{"a failed - - 3/3", "b in_progress - a", "c pending - b"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := listOf(t, c.lines...)
			var got []string
			for _, f := range l.FailUnrunnable(listNoon) {
				got = append(got, f.ID+" "+f.ErrorLog[len(f.ErrorLog)-1])
				if f.Status != machine.TaskFailed || f.FailedAt == nil || !f.FailedAt.Equal(listNoon) {
					t.Errorf("%s: %+v", f.ID, f)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("failed %q\nwant   %q", got, c.want)
			}
			if again := l.FailUnrunnable(listNoon); len(again) > 0 {
				t.Errorf("a second time: %q", ids(again))
			}
		})
	}
}

func TestALongCycleIsToldInShort(t *testing.T) {
	l := chained(100, false)
	l.Tasks[0].DependsOn = []string{machine.TaskID(100)}
	failed := l.FailUnrunnable(listNoon)
	if len(failed) != 100 {
		t.Fatalf("%d failed", len(failed))
	}
	want := "[DEPENDENCY] Circular dependency detected: task-100 -> task-099 -> task-098 -> task-097 -> task-096 -> ... -> task-100"
	if got := failed[99].ErrorLog[0]; got != want {
		t.Errorf("%s", got)
	}
}

func TestATaskHeldBackRunsOnceWhatItWaitedForIsDone(t *testing.T) {
	l := listOf(t, "a failed - - 3/3", "b pending - a")
	l.FailUnrunnable(listNoon)
	if got := l.Find("b"); got.Status != machine.TaskFailed || got.Attempts != 0 {
		t.Fatalf("b: %+v", got)
	}
	l.Find("a").Status = machine.TaskCompleted // done by hand
	if failed := l.FailUnrunnable(listNoon); len(failed) > 0 || ids(l.Eligible()) != "b" {
		t.Errorf("failed %q, eligible %q", ids(failed), ids(l.Eligible()))
	}
}

func TestCountsAddUp(t *testing.T) {
	l := listOf(t,
		"a completed - - 1/3", "b failed - - 3/3", "c failed - - 1/3", "d in_progress",
		"e pending - b", "f pending - e", "g pending - c", "h pending - d,a", "i pending - nowhere",
		"j pending - k,nowhere", "k pending - j", "l pending - k", "m whatever", "n pending - m")
	l.Find("d").Checkpoints = make([]Milestone, 2)
	want := ListCounts{Total: 14, Completed: 1, Failed: 2, Pending: 10, Running: 1, Blocked: 8, Attempts: 5, Checkpoints: 2}
	if got := l.Counts(); got != want {
		t.Errorf("%+v", got)
	}
	text := "tasks_total=14 completed=1 failed=2 pending=10 blocked=8 attempts_total=5 checkpoints=2 in_progress=1"
	if got := l.Counts().String(); got != text {
		t.Errorf("%s", got)
	}
	if got := (ListCounts{Total: 1, Pending: 1}).String(); strings.Contains(got, "in_progress") {
		t.Errorf("%s", got)
	}
}

func TestMissingDependenciesAreNamed(t *testing.T) {
	l := listOf(t, "a completed - x", "b pending - a,y", "c failed - z")
	if got := fmt.Sprint(l.Missing()); got != "[b depends on y c depends on z]" {
		t.Errorf("%s", got)
	}
}

func TestNewTasksAreNumberedOn(t *testing.T) {
	for want, ids := range map[string][]string{
		"task-001":  nil,
		"task-003":  {"task-002", "task-x", "x", "task-"},
		"task-101":  {"task-100", "task-099", "task-9999999999999999999999", "task--5"},
		"task-1000": {"task-999"},
		"task-008":  {"task-7b"},
	} {
		if got := listOf(t, ids...).NextID(); got != want {
			t.Errorf("after %q: %s, want %s", ids, got, want)
		}
	}
}

func TestIDsAreComparedAsPeopleCount(t *testing.T) {
	sorted := []string{
		"", "1", "01", "2", "10", "10000000000000000000000000", "a", "a-b", "a2b1", "a2b02", "a10", "task-2", "task-02",
		"task-10", "task-10a", "task-10b", "task-x", "ü",
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := naturally(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%q, %q: %d", a, b, got)
			}
		}
	}
}

func TestFindPrefersWhatIsInProgress(t *testing.T) {
	l := listOf(t, "a completed", "a failed", "a in_progress", "b")
	if l.Find("a") != &l.Tasks[2] || l.Find("b") != &l.Tasks[3] || l.Find("c") != nil {
		t.Error("another task was found")
	}
	l.Tasks[2].Status = machine.TaskPending
	if l.Find("a") != &l.Tasks[0] {
		t.Error("not the first")
	}
}

// TestRecoveryOfAnInterruptedTask is the table of the format: what is there, what is done, and what comes of it.
func TestRecoveryOfAnInterruptedTask(t *testing.T) {
	for _, c := range []struct {
		traces         Traces
		want           Recovery
		passed, failed Settled
	}{
		{Traces{}, RecoverFail, SettledFailed, SettledFailed},
		{Traces{Checkpoints: true}, RecoverCheck, SettledResumed, SettledFailed},
		{Traces{Commits: true}, RecoverValidate, SettledCompleted, SettledFailed},
		{Traces{Uncommitted: true}, RecoverValidate, SettledCompleted, SettledFailed},
		{Traces{Commits: true, Checkpoints: true}, RecoverValidate, SettledCompleted, SettledFailed},
		{Traces{Uncommitted: true, Checkpoints: true}, RecoverValidate, SettledCompleted, SettledFailed},
		{Traces{Uncommitted: true, Commits: true}, RecoverValidate, SettledCompleted, SettledFailed},
		{Traces{Uncommitted: true, Commits: true, Checkpoints: true}, RecoverValidate, SettledCompleted, SettledFailed},
	} {
		got, why := c.traces.Recovers()
		if got != c.want || why == "" || got.Settle(true) != c.passed || got.Settle(false) != c.failed {
			t.Errorf("%+v: %s (%s), %s, %s", c.traces, got, why, got.Settle(true), got.Settle(false))
		}
	}
	if _, why := (Traces{}).Recovers(); why != "No progress detected" {
		t.Errorf("the reason is %q", why)
	}
}

func TestListErrorsAreTold(t *testing.T) {
	if e := (&BusyError{ID: "a", By: "w1"}).Error(); e != "a is in progress, claimed by w1" {
		t.Error(e)
	}
	if e := (&BusyError{ID: "a"}).Error(); e != "a is in progress" {
		t.Error(e)
	}
	if err := fmt.Errorf("a: %w", ErrNoTask); !errors.Is(err, ErrNoTask) || errors.Is(err, ErrNotYours) || err.Error() != "a: task not found" {
		t.Error(err)
	}
}
