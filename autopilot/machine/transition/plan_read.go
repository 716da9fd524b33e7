package transition

import (
	"cmp"
	"slices"

	"autopilot/autopilot/machine"
)

// readPlan takes a plan in. Of the tasks that stand in it unchanged, wherever, those that are completed stay completed, and those
// that were begun keep their spent attempts, so that no new edition of a plan makes a budget start over. A task that
// failed for good starts over: only a human's word leads here after that.
func readPlan(s *machine.State, plan *machine.PlanFacts) {
	p := phase(s)
	p.PlanPath, p.PlanSHA256, p.Tries, p.Failure, p.Remark = plan.Path, plan.SHA256, 0, "", ""
	p.PlanHint, p.Planning = "", machine.Planning{}
	old := slices.DeleteFunc(slices.Clone(s.Tasks), func(t machine.Task) bool { return t.Kind != machine.KindPlan })
	was := repeated(old, plan.Tasks)
	ids := idsOf(s, plan.Tasks, old, was)
	s.Tasks, s.Checkpoints = nil, mergeCheckpoints(s.Checkpoints, plan, old, was, ids)
	for n, t := range plan.Tasks {
		t = called(t, ids)
		t.Kind, t.Status = machine.KindPlan, machine.TaskPending
		if i := was[n]; i >= 0 && says(old[i], t) {
			t = under(old[i], t)
		}
		countOn(s, &t) // also where it is another task: the records of the one that had its id keep their place
		s.Tasks = append(s.Tasks, t)
	}
	p.ComplexityOverride = override(p.Complexity, len(plan.Tasks), len(plan.Checkpoints))
}

// editedPlan takes in a plan that a human edited. What an older program approved is not known: its plan is read, not edited.
func editedPlan(s *machine.State, plan *machine.PlanFacts) {
	p := phase(s)
	p.Edited = p.Edited || p.PlanSHA256 != ""
	readPlan(s, plan)
}

// under is what becomes of a task when the plan is read again and now says it as planned does.
func under(t machine.Task, planned machine.Task) machine.Task {
	switch t.Status {
	case machine.TaskCompleted:
		t.ID, t.Number = planned.ID, planned.Number
		t.DependsOn = planned.DependsOn // it waits no more, and still is a part of the order
		return t
	case machine.TaskFailed, machine.TaskSkipped:
		return planned
	}
	t.Alone = false
	t.ID, t.Number, t.DependsOn, t.Files, t.FilesNone = planned.ID, planned.Number, planned.DependsOn, planned.Files, planned.FilesNone
	t.Owns, t.ChangesTests, t.ValidationNone, t.Status = planned.Owns, planned.ChangesTests, planned.ValidationNone, machine.TaskPending
	return t
}

// mergeCheckpoints keeps the answers of those that stand in the plan unchanged, at the tasks that theirs are now.
func mergeCheckpoints(known []machine.Checkpoint, plan *machine.PlanFacts, old []machine.Task, was []int, ids map[string]string) []machine.Checkpoint {
	before := map[string]string{} // id in the session, by the one that the plan has now
	for n, t := range plan.Tasks {
		if was[n] >= 0 {
			before[t.ID] = old[was[n]].ID
		}
	}
	var merged []machine.Checkpoint
	for _, c := range plan.Checkpoints {
		for _, o := range known {
			if o.Passed && o.Task == before[c.Task] && o.Kind == c.Kind && o.Text == c.Text {
				c.Passed, c.Answer = true, o.Answer
			}
		}
		c.Task = cmp.Or(ids[c.Task], c.Task)
		merged = append(merged, c)
	}
	return merged
}

// override is the complexity that a plan shows a phase to have, where the spec says low; high is tested first.
func override(spec machine.Complexity, tasks, checkpoints int) machine.Complexity {
	switch {
	case spec != machine.Low:
		return ""
	case tasks > 20 || checkpoints > 6:
		return machine.High
	case tasks > 10 || checkpoints > 3:
		return machine.Medium
	}
	return ""
}

// says tells whether two tasks are the same by their words.
func says(a, b machine.Task) bool { return a.Title == b.Title && a.Validation == b.Validation }

// repeated finds, for each task of a plan, the one of the session that it is; -1 is a new one. A number counts for more
// than an id, which tells no more than where a task stood: one that is put in between moves those behind it.
func repeated(old, now []machine.Task) []int {
	number := func(a, b machine.Task) bool { return a.Number == b.Number }
	id := func(a, b machine.Task) bool { return a.ID == b.ID }
	both := func(is func(a, b machine.Task) bool) func(a, b machine.Task) bool {
		return func(a, b machine.Task) bool { return is(a, b) && says(a, b) }
	}
	return pairs(old, now, both(number), both(id), number, id)
}

// idsOf gives the tasks of a plan, by the ids that it numbers them with, those that they have in the session. Commits and
// records name a task that was begun by its id: it keeps that one, and no other gets it.
func idsOf(s *machine.State, now, old []machine.Task, was []int) map[string]string {
	ids, taken, all := map[string]string{}, map[string]bool{}, slices.Concat(s.Tasks, now)
	for n, t := range now {
		if i := was[n]; i >= 0 && isBegun(old[i]) {
			ids[t.ID], taken[old[i].ID] = old[i].ID, true
		}
	}
	for _, t := range now {
		id := cmp.Or(ids[t.ID], t.ID)
		if ids[t.ID] == "" && taken[id] {
			id = nextID(all)
			all = append(all, machine.Task{ID: id})
		}
		ids[t.ID] = id
	}
	return ids
}

// isBegun says whether anything was done for a task.
func isBegun(t machine.Task) bool { return t.Status != machine.TaskPending || t.Dispatches > 0 }

// called is a task of a plan by the ids of the session.
func called(t machine.Task, ids map[string]string) machine.Task {
	t.ID, t.DependsOn = ids[t.ID], slices.Clone(t.DependsOn)
	for i, id := range t.DependsOn {
		t.DependsOn[i] = cmp.Or(ids[id], id)
	}
	return t
}
