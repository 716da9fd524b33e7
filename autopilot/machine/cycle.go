package machine

import (
	"fmt"
	"slices"
	"strings"
)

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
			if find(tasks, id) == nil {
				hindrances = append(hindrances, fmt.Sprintf("%s depends on %s, which is no task of the plan", t.inPlan(), id))
			}
		}
	}
	if cycle := Cycle(tasks); cycle != nil {
		var names []string
		for _, id := range append(cycle, cycle[0]) {
			names = append(names, find(tasks, id).inPlan())
		}
		hindrances = append(hindrances, "the dependencies of its tasks form a cycle: "+strings.Join(names, " → "))
	}
	return hindrances
}

// inPlan is the task's name as the plan writes it.
func (t Task) inPlan() string { return "Task " + orElse(t.Number, t.ID) }

// askUnrunnable asks about a plan that cannot be run: yes is no answer to that.
func (m *move) askUnrunnable(hindrances, signals []string) {
	p := m.phase()
	why := "the plan cannot be run: " + strings.Join(hindrances, "; ")
	g := m.ask(GateApprovePlan, gateOptions[GateApprovePlan],
		fmt.Sprintf("The plan of phase %s (%s), %s, cannot be run: %s. What should change?", p.Number, p.Name, p.PlanPath, strings.Join(hindrances, "; ")),
		append([]string{"Edit the plan, and it is looked at again; or have it revised."}, signals...)...)
	g.Options = slices.DeleteFunc(g.Options, func(o Option) bool { return o.Effect == string(Approved) })
	g.Refused = []Refusal{{Option: "yes", Why: why}}
}
