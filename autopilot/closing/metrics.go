package closing

import (
	"fmt"
	"path/filepath"

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
