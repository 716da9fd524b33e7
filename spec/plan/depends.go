package plan

import (
	"slices"
	"strings"

	"autopilot/spec/markdown"
)

// checkDependencies makes the dependencies numbers of tasks as those write them,
// and refuses doubled numbers. It returns the dependencies that are not there: such
// a plan can be read, and a human be asked about it.
func (r *planReader) checkDependencies(tasks []Task) []markdown.Problem {
	var unknown markdown.Problems
	index := map[string]int{}
	for i, t := range tasks {
		key := strings.ToLower(t.Number)
		if first, ok := index[key]; ok {
			r.wrong.Add(t.Line, "give each task its own number", "task %s is also on line %d", t.Number, tasks[first].Line)
			continue
		}
		index[key] = i
	}
	for i := range tasks {
		t := &tasks[i]
		var known, strange []string
		for _, wish := range t.DependsOn {
			found := resolve(wish, tasks, index)
			if len(found) == 0 {
				strange = append(strange, wish)
				unknown.Add(t.Line, "write 'Task 1, Task 2' with tasks of this plan, or 'none'",
					"task %s depends on %q, which is no task of the plan", t.Number, wish)
			}
			known = append(known, found...)
		}
		slices.SortFunc(known, func(a, b string) int {
			return index[strings.ToLower(a)] - index[strings.ToLower(b)]
		})
		t.DependsOn = append(slices.Compact(known), strange...)
	}
	return unknown
}

// resolve returns the numbers that a wish stands for: a task's, or all of a range.
func resolve(wish string, tasks []Task, index map[string]int) []string {
	key := strings.ToLower(wish)
	if i, ok := index[key]; ok {
		return []string{tasks[i].Number}
	}
	at := strings.IndexAny(key, "-–")
	if at < 0 {
		return nil
	}
	first, ok1 := index[key[:at]]
	last, ok2 := index[strings.TrimLeft(key[at:], "-–")]
	if !ok1 || !ok2 || first > last {
		return nil
	}
	var all []string
	for _, t := range tasks[first : last+1] {
		all = append(all, t.Number)
	}
	return all
}
