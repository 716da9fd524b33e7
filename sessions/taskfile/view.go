package taskfile

import (
	"slices"

	"autopilot/autopilot/machine"
)

// listView looks tasks of a list up by their id, so that every rule stays linear in a list of thousands.
type listView struct {
	tasks   []ListedTask
	at      map[string]int  // where the task with an id stands; of several a completed one, else the first
	running map[string]bool // ids that are in progress
}

func (l *TaskList) view() listView {
	v := listView{tasks: l.Tasks, at: make(map[string]int, len(l.Tasks)), running: map[string]bool{}}
	for i := range l.Tasks {
		t := &l.Tasks[i]
		if other, ok := v.at[t.ID]; !ok || t.Status == machine.TaskCompleted && l.Tasks[other].Status != machine.TaskCompleted {
			v.at[t.ID] = i
		}
		if t.Status == machine.TaskRunning {
			v.running[t.ID] = true
		}
	}
	return v
}

// find is the task with an id, nil where there is none.
func (v listView) find(id string) *ListedTask {
	if i, ok := v.at[id]; ok {
		return &v.tasks[i]
	}
	return nil
}

// ready says whether all that a task depends on is completed.
func (v listView) ready(t *ListedTask) bool {
	return !slices.ContainsFunc(t.DependsOn, func(id string) bool {
		d := v.find(id)
		return d == nil || d.Status != machine.TaskCompleted
	})
}

// failedForGood says whether a task failed and will not be tried again: its attempts are used up, or what it depends on
// could not be met and still is not.
func (v listView) failedForGood(t *ListedTask) bool {
	return t.Status == machine.TaskFailed && (t.exhausted() || t.heldBack() && !v.ready(t))
}

// retryable says whether a failed task has an attempt left that it could use one day.
func (v listView) retryable(t *ListedTask) bool {
	return t.Status == machine.TaskFailed && !v.failedForGood(t)
}

// needs lists for each task where those stand that it depends on; what is not there is left out.
func (v listView) needs() [][]int {
	needs := make([][]int, len(v.tasks))
	for i, t := range v.tasks {
		for _, id := range t.DependsOn {
			if d, ok := v.at[id]; ok {
				needs[i] = append(needs[i], d)
			}
		}
	}
	return needs
}

// dependents turns needs around: for each task those that depend on it, once for each time that they name it.
func dependents(needs [][]int) [][]int {
	after := make([][]int, len(needs))
	for i, list := range needs {
		for _, d := range list {
			after[d] = append(after[d], i)
		}
	}
	return after
}
