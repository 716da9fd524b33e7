package tasks

import (
	"time"

	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/sessions/taskfile"
)

// measured is how the dispatches of a run went.
type measured struct {
	all machine.Metrics
	on  map[string]machine.Metrics // by task
}

// ended adds up how a dispatch for a task went that took a time.
func (m *measured) ended(task string, out personas.Outcome, took time.Duration) {
	if m.on == nil {
		m.on = map[string]machine.Metrics{}
	}
	how, before := dispatch.Metrics(out, took), m.on[task]
	m.on[task] = before.Plus(how)
	m.all = m.all.Plus(how.ForTask(before.Ended == 0))
}

// tasks are the metrics of those tasks of a list that had dispatches.
func (m *measured) tasks(list taskfile.TaskList, used map[string]machine.Spent) []machine.TaskMetrics {
	var tried []machine.Task
	for _, t := range list.Tasks {
		made := t.Attempts // those that failed
		if t.Status == machine.TaskCompleted {
			made++
		}
		if how := m.on[t.ID]; how.Ended > 0 {
			tried = append(tried, machine.Task{ID: t.ID, Title: t.Title, Status: t.Status, Attempts: make([]machine.Attempt, made), Spent: used[t.ID], Metrics: how})
		}
	}
	return machine.MetricsOf(0, tried)
}
