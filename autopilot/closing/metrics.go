package closing

import (
	"fmt"
	"path/filepath"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
)

// metricsName is the file that has how the tasks of a phase went, counted from 1: the state has only those of the current one.
func metricsName(phase int) string { return fmt.Sprintf("phase-%d-metrics.json", phase) }

// phaseMetrics is what that file says.
type phaseMetrics struct {
	Tasks []machine.TaskMetrics `json:"tasks"`
}

// TaskMetrics are those of all tasks so far, in the order of their phases; of finished phases as the session's folder has them.
func TaskMetrics(s machine.State, folder string) []machine.TaskMetrics {
	all, last := []machine.TaskMetrics{}, s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done
	for i, p := range s.Phases {
		var file phaseMetrics
		switch {
		case i == s.CurrentPhase && !last:
			all = append(all, machine.MetricsOf(i+1, s.Tasks)...)
		case p.Over() && plainfile.ReadJSON(filepath.Join(folder, metricsName(i+1)), &file) == nil:
			all = append(all, file.Tasks...)
		}
	}
	if last {
		all = append(all, machine.MetricsOf(0, s.Tasks)...)
	}
	return all
}

// metricsText is the part of the summary that says how the tasks went; "" where no dispatch ended.
func metricsText(s machine.State, folder string) string {
	if s.Metrics.Ended == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nMetrics: %s.\n", machine.ShowMetrics(s))
	if tools := s.Metrics.ToolsText(); tools != "" {
		fmt.Fprintf(&b, "\nTool calls: %s.\n", tools)
	}
	rows := TaskMetrics(s, folder)
	if len(rows) > 0 {
		b.WriteString("\n| phase | task | title | attempts | turns | seconds | tokens | context | first check | tool calls |\n|---|---|---|---|---|---|---|---|---|---|\n")
	}
	for _, t := range rows {
		phase := "-"
		if t.Phase > 0 {
			phase = s.PhaseNumber(t.Phase - 1)
		}
		cells := t.Cells()
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %.0f | %d | %s |\n", phase, t.ID, strings.ReplaceAll(t.Title, "|", `\|`), t.Attempts, cells[0], t.Seconds,
			t.Usage.InputTokens+t.Usage.OutputTokens, strings.Join(cells[1:], " | "))
	}
	return b.String()
}
