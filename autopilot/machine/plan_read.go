package machine

import (
	"slices"
)

// readPlan takes a plan in. Of the tasks that stand in it unchanged, wherever, those that are completed stay completed, and those
// that were begun keep their spent attempts, so that no new edition of a plan makes a budget start over. A task that
// failed for good begins anew: only a human's word leads here after that.
func readPlan(s *State, plan *PlanFacts) {
	p := phase(s)
	p.PlanPath, p.PlanSHA256, p.Tries, p.Failure, p.Remark = plan.Path, plan.SHA256, 0, "", ""
	p.PlanHint, p.Planning = "", Planning{}
	old := slices.DeleteFunc(slices.Clone(s.Tasks), func(t Task) bool { return t.Kind != KindPlan })
	was := repeated(old, plan.Tasks)
	ids := idsOf(s, plan.Tasks, old, was)
	s.Tasks, s.Checkpoints = nil, mergeCheckpoints(s.Checkpoints, plan, old, was, ids)
	for n, t := range plan.Tasks {
		t = t.called(ids)
		t.Kind, t.Status = KindPlan, TaskPending
		if i := was[n]; i >= 0 && says(old[i], t) {
			t = old[i].under(t)
		}
		countOn(s, &t) // also where it is another task: the records of the one that had its id keep their place
		s.Tasks = append(s.Tasks, t)
	}
	p.ComplexityOverride = override(p.Complexity, len(plan.Tasks), len(plan.Checkpoints))
}

// editedPlan takes in a plan that a human edited. What an older program approved is not known: its plan is read, not edited.
func editedPlan(s *State, plan *PlanFacts) {
	p := phase(s)
	p.Edited = p.Edited || p.PlanSHA256 != ""
	readPlan(s, plan)
}

// under is what becomes of a task when the plan is read anew and now says it as planned does.
func (t Task) under(planned Task) Task {
	switch t.Status {
	case TaskCompleted:
		t.ID, t.Number = planned.ID, planned.Number
		t.DependsOn = planned.DependsOn // it waits no more, and still is a part of the order
		return t
	case TaskFailed:
		return planned
	}
	t.Alone = false
	t.ID, t.Number, t.DependsOn, t.Files, t.FilesNone = planned.ID, planned.Number, planned.DependsOn, planned.Files, planned.FilesNone
	t.Owns, t.ChangesTests, t.ValidationNone, t.Status = planned.Owns, planned.ChangesTests, planned.ValidationNone, TaskPending
	return t
}

// mergeCheckpoints keeps the answers of those that stand in the plan unchanged, at the tasks that theirs are now.
func mergeCheckpoints(known []Checkpoint, plan *PlanFacts, old []Task, was []int, ids map[string]string) []Checkpoint {
	before := map[string]string{} // id in the session, by the one that the plan has now
	for n, t := range plan.Tasks {
		if was[n] >= 0 {
			before[t.ID] = old[was[n]].ID
		}
	}
	var merged []Checkpoint
	for _, c := range plan.Checkpoints {
		for _, o := range known {
			if o.Passed && o.Task == before[c.Task] && o.Kind == c.Kind && o.Text == c.Text {
				c.Passed, c.Answer = true, o.Answer
			}
		}
		c.Task = orElse(ids[c.Task], c.Task)
		merged = append(merged, c)
	}
	return merged
}

// override is the complexity that a plan shows a phase to have, where the spec says low; high is tested first.
func override(spec Complexity, tasks, checkpoints int) Complexity {
	switch {
	case spec != Low:
		return ""
	case tasks > 20 || checkpoints > 6:
		return High
	case tasks > 10 || checkpoints > 3:
		return Medium
	}
	return ""
}

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
func idsOf(s *State, now, old []Task, was []int) map[string]string {
	ids, taken, all := map[string]string{}, map[string]bool{}, slices.Concat(s.Tasks, now)
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
