package machine

import (
	"slices"
)

// NextTask selects the task to run in the run's own working tree: one that is being retried goes first, then the first
// in plan order whose dependencies are all completed. It says false when none can run, and while lanes are open, beside
// which only a retry goes on, and what those that are done wait for.
func NextTask(s State) (string, bool) {
	if t := FindTask(s.Tasks, s.CurrentTask); t != nil && t.Lane == nil && (t.Status == TaskPending || t.Status == TaskRunning) && all(t.DependsOn, completedOf(s.Tasks)) && s.busyLanes() < s.lanes() {
		return t.ID, true
	}
	if s.LanesOpen() {
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

// FindTask finds a task by its id; nil where there is none.
func FindTask(tasks []Task, id string) *Task {
	i := slices.IndexFunc(tasks, func(t Task) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return &tasks[i]
}

// Task finds a task of the current phase by its id.
func (s State) Task(id string) (Task, bool) {
	if t := FindTask(s.Tasks, id); t != nil {
		return *t, true
	}
	return Task{}, false
}
