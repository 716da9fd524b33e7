package tasks

import (
	"context"
	"fmt"
	"strings"

	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/sessions/taskfile"
)

// FailedError says that the list is at its end, and tasks of it are not done.
type FailedError struct {
	Counts  taskfile.ListCounts
	Failed  []string // "task-002: why"
	Passed  []string // ids of tasks without a validation that were passed over
	Missing []string // what can never begin, and why
	Spent   bool     // a task has no attempt left
	Circle  bool     // tasks wait for each other
}

func (e *FailedError) Error() string {
	lines := []string{fmt.Sprintf("%d of %d tasks are completed, and nothing more can be done", e.Counts.Completed, e.Counts.Total)}
	lines = append(lines, e.Failed...)
	for _, id := range e.Passed {
		lines = append(lines, id+": has no validation, and was passed over")
	}
	lines = append(lines, e.Missing...)
	if e.Circle {
		lines = append(lines, "Tasks that wait for each other never begin: take one of the dependencies out of depends_on in harness-tasks.json, then: autopilot tasks run")
	}
	if e.Spent {
		lines = append(lines, "What failed is kept under refs/autopilot/tasks. To try a task again, raise its max_attempts in harness-tasks.json, then: autopilot tasks run")
	}
	if !e.Circle && !e.Spent {
		lines = append(lines, "Fix that in harness-tasks.json, then: autopilot tasks run")
	}
	return strings.Join(lines, "\n")
}

// end logs how the list stands, and says whether all of it is done.
func (l *Loop) end(ctx context.Context, list taskfile.TaskList) error {
	l.closeTree(ctx, l.Repo)
	counts := list.Counts()
	mark := l.File.Activate
	if counts.Total > 0 && list.Over() {
		mark = l.File.Finish
	}
	if err := mark(); err != nil {
		return err
	}
	l.sum(counts)
	if counts.Completed == counts.Total {
		return nil
	}
	failed := &FailedError{Counts: counts}
	for _, m := range list.Missing() {
		failed.Missing = append(failed.Missing, m+", which is not in the list")
	}
	failed.Missing = append(failed.Missing, list.Miswritten()...)
	for _, t := range list.Tasks {
		failed.Spent, failed.Circle = failed.Spent || t.Spent(), failed.Circle || t.InCircle()
		switch {
		case t.Status == machine.TaskFailed && len(t.ErrorLog) > 0:
			failed.Failed = append(failed.Failed, t.ID+": "+t.ErrorLog[len(t.ErrorLog)-1])
		case t.Status == machine.TaskFailed:
			failed.Failed = append(failed.Failed, t.ID+": failed")
		case l.passedOver[t.ID]:
			failed.Passed = append(failed.Passed, t.ID)
		}
	}
	return failed
}

// Metrics are those of the dispatches of this run.
func (l *Loop) Metrics() machine.MetricsShown { return l.spent.how.all.Shown(l.spent.used) }

// TaskMetrics are those of the tasks that this run had an agent for.
func (l *Loop) TaskMetrics(list taskfile.TaskList) []machine.TaskMetrics {
	return l.spent.how.tasks(list, l.spent.on)
}

// sum tells how the list stands.
func (l *Loop) sum(c taskfile.ListCounts) {
	text := fmt.Sprintf("%s: %d completed, %d failed, %d pending; %s", machine.Plural(c.Total, "task", "tasks"), c.Completed, c.Failed, c.Pending, machine.Plural(c.Attempts, "failed attempt", "failed attempts"))
	switch {
	case c.Total == 0:
		text = "There are no tasks yet. Add one: autopilot tasks add \"What is to be done\" --validation \"go test ./...\""
	case c.Completed == c.Total && l.run.done == 0 && !l.run.recovers:
		text = "Nothing to do: " + machine.Plural(c.Total, "task is", "tasks are") + " completed."
	}
	l.Report.Report(journal.Note{Event: "state", Text: text, Fields: map[string]any{
		"completed": c.Completed, "failed": c.Failed, "pending": c.Pending, "attempts": c.Attempts, "total": c.Total,
	}})
}
