package machine

import (
	"cmp"
	"fmt"
	"strings"
)

// TaskMetrics are how a task went, for people and for other tools.
type TaskMetrics struct {
	Phase    int           `json:"phase,omitempty"` // counted from 1; 0: the final review, or a task list
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Status   string        `json:"status"`
	Attempts int           `json:"attempts"`
	Seconds  float64       `json:"seconds"` // of its dispatches and checks
	Usage    Usage         `json:"usage"`
	Metrics  *MetricsShown `json:"metrics"` // nil: not recorded
}

// MetricsOf are those of tasks that belong to a phase.
func MetricsOf(phase int, tasks []Task) []TaskMetrics {
	all := make([]TaskMetrics, 0, len(tasks))
	for _, t := range tasks {
		row := TaskMetrics{Phase: phase, ID: t.ID, Title: t.Title, Status: t.Status, Attempts: len(t.Attempts), Seconds: t.Spent.Seconds, Usage: t.Spent.Usage}
		if t.Metrics.Ended > 0 {
			shown := t.Metrics.Shown(t.Spent.Usage)
			row.Metrics = &shown
		}
		all = append(all, row)
	}
	return all
}

// Cells are the columns of a report behind the task's name: turns, fullest context, first check, tool calls.
func (t TaskMetrics) Cells() [4]string {
	if t.Metrics == nil {
		return [4]string{"not recorded", "-", "-", "-"}
	}
	cells, m := [4]string{"-", "-", "-", "-"}, t.Metrics.Metrics
	if m.ToldAll > 0 {
		cells[0] = fmt.Sprint(m.Turns)
	}
	if use := t.Metrics.ContextUse; use != nil {
		cells[1] = fmt.Sprintf("%.0f %% (%s)", 100**use, t.Metrics.ContextStatus)
	}
	if m.Checked > 0 {
		cells[2] = map[bool]string{true: "passed", false: fmt.Sprintf("%d of %d passed", m.FirstPass, m.Checked)}[m.FirstPass == m.Checked]
	}
	if m.ToolCalls > 0 {
		cells[3] = fmt.Sprintf("%d (%d failed)", m.ToolCalls, m.ToolFailures)
	}
	return cells
}

// Missed says which targets a task missed by itself: "task-003 (14 turns, target below 10)"; "" is none.
func (t TaskMetrics) Missed() string {
	if t.Metrics == nil {
		return ""
	}
	var parts []string
	if n := t.Metrics.Turns; float64(n) >= Target.TurnsPerTask {
		parts = append(parts, fmt.Sprintf("%d turns, target below %.0f", n, Target.TurnsPerTask))
	}
	if use := t.Metrics.ContextUse; use != nil && *use >= Target.ContextUse {
		parts = append(parts, fmt.Sprintf("context %.0f %%, target below %.0f %%", 100**use, 100*Target.ContextUse))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", t.ID, strings.Join(parts, "; "))
}

// ToolsText lists tools by what they were called for, the failed calls in brackets: "edit_file 12 (1 failed), read_file 30".
func (m Metrics) ToolsText() string {
	parts := make([]string, len(m.Tools))
	for i, tool := range m.Tools {
		parts[i] = fmt.Sprintf("%s %d", cmp.Or(tool.Name, "none that there is"), tool.Calls)
		if tool.Failures > 0 {
			parts[i] += fmt.Sprintf(" (%d failed)", tool.Failures)
		}
	}
	return strings.Join(parts, ", ")
}
