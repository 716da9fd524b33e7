package taskfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/machine"
)

// FailUnrunnable fails what can never run: each task of a cycle, itself included, then whatever depends on a task that
// failed for good, at whatever distance. It returns what it failed, with the reason as the last line of error_log.
func (l *TaskList) FailUnrunnable(now time.Time) []ListedTask {
	v := l.view()
	needs := v.needs()
	var failed []ListedTask
	fail := func(t *ListedTask, why string) {
		t.fail(CategoryDependency, why, now)
		failed = append(failed, *t)
	}
	v.failCycles(needs, fail)
	v.failBlocked(needs, fail)
	return failed
}

func (v listView) failCycles(needs [][]int, fail func(*ListedTask, string)) {
	loop := v.loops(needs)
	members := make([]int, len(loop)+1)
	for _, n := range loop {
		members[n]++
	}
	for i, n := range loop {
		if t := &v.tasks[i]; n > 0 && (t.Status == machine.TaskPending || v.retryable(t)) {
			fail(t, circular+v.chain(i, needs, loop, members[n]))
		}
	}
}

func (v listView) failBlocked(needs [][]int, fail func(*ListedTask, string)) {
	after := dependents(needs)
	var lost []int
	for i := range v.tasks {
		if v.failedForGood(&v.tasks[i]) {
			lost = append(lost, i)
		}
	}
	seen := make([]bool, len(v.tasks))
	for ; len(lost) > 0; lost = lost[1:] {
		for _, i := range after[lost[0]] {
			t := &v.tasks[i]
			if !seen[i] && (t.Status == machine.TaskPending || v.retryable(t)) {
				fail(t, "Blocked by failed "+v.tasks[lost[0]].ID)
				lost = append(lost, i)
			}
			seen[i] = true
		}
	}
}

// Next selects the task to work on: of the pending ones whose dependencies are completed the one of the highest priority
// and the lowest id; else of the failed ones with attempts left the one of the highest priority whose failure is the
// oldest. It says false when there is none.
func (l *TaskList) Next() (ListedTask, bool) {
	t := l.view().best("")
	if t == nil {
		return ListedTask{}, false
	}
	return *t, true
}

// Eligible lists every task that could begin now, in the order of Next.
func (l *TaskList) Eligible() []ListedTask {
	v := l.view()
	var able []*ListedTask
	for i := range v.tasks {
		if t := &v.tasks[i]; v.canBegin(t) {
			able = append(able, t)
		}
	}
	slices.SortStableFunc(able, before)
	list := make([]ListedTask, len(able))
	for i, t := range able {
		list[i] = *t
	}
	return list
}

// best is the first of those that could begin now, or of those with a certain id; nil where there is none.
func (v listView) best(id string) *ListedTask {
	var best *ListedTask
	for i := range v.tasks {
		t := &v.tasks[i]
		if (id == "" || t.ID == id) && v.canBegin(t) && (best == nil || before(t, best) < 0) {
			best = t
		}
	}
	return best
}

// canBegin says whether a task could be given to somebody now. Of those with the same id one at a time is; one without an
// id never, since nobody could say which it is.
func (v listView) canBegin(t *ListedTask) bool {
	return t.ID != "" && (t.Status == machine.TaskPending || t.Status == machine.TaskFailed && !t.exhausted()) && !v.running[t.ID] && v.ready(t)
}

// before compares in the order of Next: what was never tried goes first.
func before(a, b *ListedTask) int {
	if a.Status != b.Status {
		if a.Status == machine.TaskPending {
			return -1
		}
		return 1
	}
	oldest := 0
	if a.Status == machine.TaskFailed {
		oldest = a.failedAt().Compare(b.failedAt())
	}
	return cmp.Or(a.rank()-b.rank(), oldest, naturally(a.ID, b.ID))
}

// Missing lists what tasks depend on and the list does not have, each as "task-002 depends on task-009".
func (l *TaskList) Missing() []string {
	v := l.view()
	var missing []string
	for _, t := range l.Tasks {
		for _, id := range t.DependsOn {
			if v.find(id) == nil && t.Status != machine.TaskCompleted {
				missing = append(missing, fmt.Sprintf("%s depends on %s", t.ID, id))
			}
		}
	}
	return missing
}

// Miswritten lists the tasks that can never begin as they are written, each as "tasks[3] has no id".
func (l *TaskList) Miswritten() []string {
	var lines []string
	for i, t := range l.Tasks {
		switch known := slices.Contains(listStatuses, t.Status); {
		case !known:
			lines = append(lines, fmt.Sprintf("tasks[%d] (%s) has the status %q, which is none of %s", l.place(i), t.ID, t.Status, strings.Join(listStatuses, ", ")))
		case t.ID == "" && t.Status != machine.TaskCompleted:
			lines = append(lines, fmt.Sprintf("tasks[%d] has no id", l.place(i)))
		}
	}
	return lines
}

// Doubled lists the tasks that have the id of an earlier one, each as "tasks[3] has the id a of tasks[1]", unless both are
// completed: whose work it is that bears the id, nobody could tell.
func (l *TaskList) Doubled() []string {
	var lines []string
	first := make(map[string]int, len(l.Tasks))
	for i, t := range l.Tasks {
		earlier, again := first[t.ID]
		if !again {
			first[t.ID] = i
		}
		if again && t.ID != "" && (t.Status != machine.TaskCompleted || l.Tasks[earlier].Status != machine.TaskCompleted) {
			lines = append(lines, fmt.Sprintf("tasks[%d] has the id %s of tasks[%d]", l.place(i), t.ID, l.place(earlier)))
		}
	}
	return lines
}

// place is where a task stands in the list of its file.
func (l *TaskList) place(i int) int {
	for _, other := range l.NoTasks {
		if other <= i {
			i++
		}
	}
	return i
}

// listStatuses are what a task of a list can be.
var listStatuses = []string{machine.TaskPending, machine.TaskRunning, machine.TaskCompleted, machine.TaskFailed}

// rank sorts by priority; what is none comes last.
func (t *ListedTask) rank() int {
	if rank := slices.Index([]string{"P0", "P1", "P2"}, t.Priority); rank >= 0 {
		return rank
	}
	return 3
}

// failedAt is when a task failed last; a file of another program does not say it, and such a failure is the oldest.
func (t *ListedTask) failedAt() time.Time {
	if t.FailedAt == nil {
		return time.Time{}
	}
	return *t.FailedAt
}

// naturally compares ids as people count: task-2 comes before task-10.
func naturally(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return int(a[0]) - int(b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		if c := compareNumbers(x, y); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return len(a) - len(b)
}

// compareNumbers compares by value, however large; of equal ones the shorter is less.
func compareNumbers(x, y string) int {
	m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
	return cmp.Or(len(m)-len(n), strings.Compare(m, n), len(x)-len(y))
}

// digits is the number that a text begins with, as written.
func digits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
