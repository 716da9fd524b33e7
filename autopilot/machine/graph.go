package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Waves groups tasks as they would run if each took equally long and enough agents were there: a task comes in the
// first wave behind what it depends on, in which nothing that it meets is at work. A task that has to be alone is a wave
// of its own. Tasks that wait for each other in a circle are in no wave.
func Waves(s State) [][]string {
	var waves [][]string
	done := slices.Clone(s.Tasks)
	for i := range done {
		done[i].Status, done[i].Alone = TaskPending, false
	}
	for {
		var wave []Task
		for _, t := range done {
			if t.Status != TaskPending || !ready(done, t) {
				continue
			}
			if t.alone(s) {
				if len(wave) == 0 {
					wave = []Task{t}
				}
				break
			}
			if !slices.ContainsFunc(wave, func(other Task) bool { return Meet(t, other) }) {
				wave = append(wave, t)
			}
		}
		if len(wave) == 0 {
			return waves
		}
		var ids []string
		for _, t := range wave {
			ids = append(ids, t.ID)
		}
		for _, id := range ids {
			find(done, id).Status = TaskCompleted
		}
		waves = append(waves, ids)
	}
}

// TaskDiagram draws the tasks of the current phase as a Mermaid flow chart: a box for each wave, an arrow from each task to
// those that depend on it.
func TaskDiagram(s State) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for n, wave := range Waves(s) {
		fmt.Fprintf(&b, "    subgraph wave%d [wave %d]\n", n+1, n+1)
		for _, id := range wave {
			t := find(s.Tasks, id)
			fmt.Fprintf(&b, "        %s[\"%s %s: %s\"]\n", id, id, escaped(t.Title), strings.ReplaceAll(t.Status, "_", " "))
		}
		b.WriteString("    end\n")
	}
	for _, t := range s.Tasks {
		for _, on := range t.DependsOn {
			fmt.Fprintf(&b, "    %s --> %s\n", on, t.ID)
		}
	}
	return b.String()
}

// escaped keeps a title from ending a Mermaid text.
func escaped(title string) string {
	return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ", "[", "#91;", "]", "#93;").Replace(title)
}
