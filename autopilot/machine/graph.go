package machine

import (
	"cmp"
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
		completed := completedOf(done)
		for _, t := range done {
			if t.Status != TaskPending || !all(t.DependsOn, completed) {
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
			FindTask(done, id).Status = TaskCompleted
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
			t := FindTask(s.Tasks, id)
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

// Cycle finds tasks that wait for each other, or one that waits for itself: their ids, each followed by one that it
// depends on, and the last depending on the first. Of several cycles it is one of the first task in plan order that is in
// any, and begins with that task. Nil where there is none.
func Cycle(tasks []Task) []string {
	needs := map[string][]string{}
	for _, t := range tasks {
		needs[t.ID] = t.DependsOn
	}
	for _, t := range tasks {
		if cycle := way(needs, t.ID, t.ID, map[string]bool{}); cycle != nil {
			return cycle
		}
	}
	return nil
}

// way follows dependencies from one task to another: the ids on the way, the last left out.
func way(needs map[string][]string, from, to string, seen map[string]bool) []string {
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, id := range needs[from] {
		if id == to {
			return []string{from}
		}
		if rest := way(needs, id, to, seen); rest != nil {
			return append([]string{from}, rest...)
		}
	}
	return nil
}

// Hindrances say, as the plan writes it, why its tasks cannot all be run: one that is not there, or a cycle.
func Hindrances(tasks []Task) []string {
	var hindrances []string
	for _, t := range tasks {
		for _, id := range t.DependsOn {
			if FindTask(tasks, id) == nil {
				hindrances = append(hindrances, fmt.Sprintf("%s depends on %s, which is no task of the plan", t.inPlan(), id))
			}
		}
	}
	if cycle := Cycle(tasks); cycle != nil {
		var names []string
		for _, id := range append(cycle, cycle[0]) {
			names = append(names, FindTask(tasks, id).inPlan())
		}
		hindrances = append(hindrances, "the dependencies of its tasks form a cycle: "+strings.Join(names, " → "))
	}
	return hindrances
}

// inPlan is the task's name as the plan writes it.
func (t Task) inPlan() string { return "Task " + cmp.Or(t.Number, t.ID) }
