package machine

import "slices"

// says tells whether two tasks are the same by their words.
func says(a, b Task) bool { return a.Title == b.Title && a.Validation == b.Validation }

// repeated finds, for each task of a plan, the one of the session that it is; -1 is a new one. A number counts for more
// than an id, which tells no more than where a task stood: one that is put in between moves those behind it.
func repeated(old, now []Task) []int {
	number := func(a, b Task) bool { return a.Number == b.Number }
	id := func(a, b Task) bool { return a.ID == b.ID }
	both := func(is func(a, b Task) bool) func(a, b Task) bool {
		return func(a, b Task) bool { return is(a, b) && says(a, b) }
	}
	return pairs(old, now, both(number), both(id), number, id)
}

// idsOf gives the tasks of a plan, by the ids that it numbers them with, those that they have in the session. Commits and
// records name a task that was begun by its id: it keeps that one, and no other gets it.
func (m *move) idsOf(now, old []Task, was []int) map[string]string {
	ids, taken, all := map[string]string{}, map[string]bool{}, slices.Concat(m.s.Tasks, now)
	for n, t := range now {
		if i := was[n]; i >= 0 && old[i].begun() {
			ids[t.ID], taken[old[i].ID] = old[i].ID, true
		}
	}
	for _, t := range now {
		id := orElse(ids[t.ID], t.ID)
		if ids[t.ID] == "" && taken[id] {
			id = nextID(all)
			all = append(all, Task{ID: id})
		}
		ids[t.ID] = id
	}
	return ids
}

// begun says whether anything was done for a task.
func (t Task) begun() bool { return t.Status != TaskPending || t.Dispatches > 0 }

// called is a task of a plan by the ids of the session.
func (t Task) called(ids map[string]string) Task {
	t.ID, t.DependsOn = ids[t.ID], slices.Clone(t.DependsOn)
	for i, id := range t.DependsOn {
		t.DependsOn[i] = orElse(ids[id], id)
	}
	return t
}
