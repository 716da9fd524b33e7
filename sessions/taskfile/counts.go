package taskfile

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// ListCounts are what a list has of each kind. Blocked are those of the pending ones that can never begin.
type ListCounts struct {
	Total, Completed, Failed, Pending, Running, Blocked, Attempts, Checkpoints int
}

// Counts counts.
func (l *TaskList) Counts() ListCounts {
	c := ListCounts{Total: len(l.Tasks)}
	able := l.view().able()
	for i, t := range l.Tasks {
		c.Attempts, c.Checkpoints = c.Attempts+t.Attempts, c.Checkpoints+len(t.Checkpoints)
		switch t.Status {
		case machine.TaskCompleted:
			c.Completed++
		case machine.TaskFailed:
			c.Failed++
		case machine.TaskRunning:
			c.Running++
		default:
			c.Pending++
			if !able[i] {
				c.Blocked++
			}
		}
	}
	return c
}

// able says of each task whether it is completed or could still come to that: nothing that is not there, failed for
// good or waits for the task itself stands before it, at whatever distance.
func (v listView) able() []bool {
	needs := v.needs()
	able := make([]bool, len(needs))
	open := make([]int, len(needs)) // dependencies that nothing is known of yet
	var found []int
	for i := range needs {
		t := &v.tasks[i]
		switch {
		case t.Status == machine.TaskCompleted:
			able[i] = true
			found = append(found, i)
		case t.ID == "", t.Status != machine.TaskPending && t.Status != machine.TaskRunning && !v.retryable(t):
			open[i] = -1
		default:
			if open[i] = len(t.DependsOn); open[i] == 0 {
				able[i] = true
				found = append(found, i)
			}
		}
	}
	after := dependents(needs)
	for ; len(found) > 0; found = found[1:] {
		for _, i := range after[found[0]] {
			if open[i]--; open[i] == 0 {
				able[i] = true
				found = append(found, i)
			}
		}
	}
	return able
}

// Over says that nothing of the list is left for any worker: every task is completed or failed for good. A task that is
// pending keeps the list open also where it waits for something that will never be there.
func (l *TaskList) Over() bool {
	v := l.view()
	return !slices.ContainsFunc(l.Tasks, func(t ListedTask) bool { return t.Status != machine.TaskCompleted && !v.failedForGood(&t) })
}

// String is the message of a STATS line.
func (c ListCounts) String() string {
	text := fmt.Sprintf("tasks_total=%d completed=%d failed=%d pending=%d blocked=%d attempts_total=%d checkpoints=%d",
		c.Total, c.Completed, c.Failed, c.Pending, c.Blocked, c.Attempts, c.Checkpoints)
	if c.Running > 0 {
		text += fmt.Sprintf(" in_progress=%d", c.Running)
	}
	return text
}
