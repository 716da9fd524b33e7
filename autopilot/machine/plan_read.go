package machine

// read takes a plan in. Of the tasks that stand in it unchanged, those that are completed stay completed, and those
// that were begun keep their spent attempts, so that no new edition of a plan makes a budget start over. A task that
// failed for good begins anew: only a human's word leads here after that.
func (m *move) read(plan *PlanFacts) {
	p := m.phase()
	p.PlanPath, p.PlanSHA256, p.Tries, p.Failure, p.Remark = plan.Path, plan.SHA256, 0, "", ""
	p.PlanHint, p.Planning = "", Planning{}
	old := m.s.Tasks
	m.s.Tasks, m.s.Checkpoints = nil, mergeCheckpoints(m.s.Checkpoints, plan.Checkpoints)
	for _, t := range plan.Tasks {
		t.Kind, t.Status = KindPlan, TaskPending
		if was := sameTask(old, t); was != nil {
			t = was.under(t)
		}
		m.countOn(&t) // also where it is another task: the records of the one that had its id keep their place
		m.s.Tasks = append(m.s.Tasks, t)
	}
	p.ComplexityOverride = override(p.Complexity, len(plan.Tasks), len(plan.Checkpoints))
}

// edited takes in a plan that a human edited. What an older program approved is not known: its plan is read, not edited.
func (m *move) edited(plan *PlanFacts) {
	p := m.phase()
	p.Edited = p.Edited || p.PlanSHA256 != ""
	m.read(plan)
}

// sameTask finds the task that t repeats.
func sameTask(tasks []Task, t Task) *Task {
	for _, old := range tasks {
		if old.ID == t.ID && old.Title == t.Title && old.Validation == t.Validation && old.Kind == KindPlan {
			return &old
		}
	}
	return nil
}

// under is what becomes of a task when the plan is read anew and now says it as planned does.
func (t Task) under(planned Task) Task {
	switch t.Status {
	case TaskCompleted:
		t.DependsOn = planned.DependsOn // it waits no more, and still is a part of the order
		return t
	case TaskFailed:
		return planned
	}
	t.Alone = false
	t.Number, t.DependsOn, t.Files, t.FilesNone = planned.Number, planned.DependsOn, planned.Files, planned.FilesNone
	t.Owns, t.ChangesTests, t.ValidationNone, t.Status = planned.Owns, planned.ChangesTests, planned.ValidationNone, TaskPending
	return t
}

func mergeCheckpoints(old, now []Checkpoint) []Checkpoint {
	var merged []Checkpoint
	for _, c := range now {
		for _, o := range old {
			if o.Task == c.Task && o.Kind == c.Kind && o.Text == c.Text && o.Passed {
				c = o
			}
		}
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
