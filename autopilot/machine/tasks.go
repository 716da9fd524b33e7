package machine

import (
	"fmt"
	"slices"
	"strings"
)

func (s State) retries() int { return s.RetryBudget.MaxAttempts }

// NextTask selects the task to run in the run's own working tree: one that is being retried goes first, then the first
// in plan order whose dependencies are all completed. It says false when none can run, and while lanes are open, beside
// which only a retry goes on, and what those that are done wait for.
func NextTask(s State) (string, bool) {
	if t := find(s.Tasks, s.CurrentTask); t != nil && t.Lane == nil && (t.Status == TaskPending || t.Status == TaskRunning) && ready(s.Tasks, *t) && s.busyLanes() < s.lanes() {
		return t.ID, true
	}
	if s.lanesOpen() {
		return overdue(s)
	}
	for _, t := range s.Tasks {
		if t.Status == TaskRunning {
			return t.ID, true
		}
	}
	completed := completedOf(s.Tasks)
	for _, t := range s.Tasks {
		if t.Status == TaskPending && all(t.DependsOn, completed) {
			return t.ID, true
		}
	}
	return "", false
}

// completedOf has the ids of the tasks that are completed.
func completedOf(tasks []Task) map[string]bool {
	completed := map[string]bool{}
	for _, t := range tasks {
		if t.Status == TaskCompleted {
			completed[t.ID] = true
		}
	}
	return completed
}

func all(ids []string, in map[string]bool) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !in[id] })
}

func ready(tasks []Task, t Task) bool {
	for _, id := range t.DependsOn {
		if d := find(tasks, id); d == nil || d.Status != TaskCompleted {
			return false
		}
	}
	return true
}

func find(tasks []Task, id string) *Task {
	i := slices.IndexFunc(tasks, func(t Task) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return &tasks[i]
}

// Task finds a task of the current phase by its id.
func (s State) Task(id string) (Task, bool) {
	if t := find(s.Tasks, id); t != nil {
		return *t, true
	}
	return Task{}, false
}

// openTasks lists the tasks that are not completed.
func openTasks(s *State) []Task {
	return slices.DeleteFunc(slices.Clone(s.Tasks), func(t Task) bool { return t.Status == TaskCompleted })
}

// firstFailed is the task that failed for good; where none did, and yet none can run, the first that waits.
func firstFailed(s *State) string {
	for _, t := range s.Tasks {
		if t.Status == TaskFailed {
			return t.ID
		}
	}
	for _, t := range openTasks(s) {
		return t.ID
	}
	return ""
}

// nextID numbers a task on from those that are there.
func nextID(tasks []Task) string {
	highest := 0
	for _, t := range tasks {
		var n int
		if _, err := fmt.Sscanf(t.ID, "task-%d", &n); err == nil {
			highest = max(highest, n)
		}
	}
	return TaskID(highest + 1)
}

// budgeted projects the first running task's retries.
func budgeted(s *State) *BudgetedTask {
	t := find(s.Tasks, s.CurrentTask)
	if t == nil || t.Status == TaskCompleted {
		return nil
	}
	return &BudgetedTask{Name: strings.TrimSpace(t.ID + " " + t.Title), AttemptsUsed: len(t.Attempts), Attempts: slices.Clone(t.Attempts)}
}
