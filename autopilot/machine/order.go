package machine

import "slices"

// nextToIntegrate is the task whose lane is done and whose work comes next onto the run's branch: in the order of all, so that
// the outcome is that of one task after the other.
func nextToIntegrate(s State) (string, bool) {
	if _, waits := inTree(s); waits {
		return "", false
	}
	places := sequence(s.Tasks)
	done := lanesDone(s, places)
	if len(done) == 0 {
		return "", false
	}
	// What the first one waits for, all of them wait for.
	if !slices.ContainsFunc(holders(s), func(u Task) bool { return places[u.ID] < places[done[0].ID] }) {
		return done[0].ID, true
	}
	return frees(s, done)
}

// lanesDone lists the tasks whose lanes are done, in the order.
func lanesDone(s State, places map[string]int) []Task {
	done := slices.DeleteFunc(slices.Clone(s.Tasks), func(t Task) bool { return t.Lane == nil || t.Lane.Step != StepCommit })
	slices.SortFunc(done, func(a, b Task) int { return places[a.ID] - places[b.ID] })
	return done
}

// sequence gives each task of a phase its place in the one order of all: what it depends on first, ties in plan order.
func sequence(tasks []Task) map[string]int {
	all := slices.Clone(tasks)
	for i := range all {
		all[i].Status = TaskPending
	}
	places := map[string]int{}
	for i, t := range oneByOne(all) {
		places[t.ID] = i
	}
	return places
}

// holders lists the tasks that have to come onto the run's branch before those whose lanes are done and that have a later
// place in the order. One that failed for good, or waits for a human, holds nobody up, nor does one that is not begun while
// a question waits.
func holders(s State) []Task {
	return slices.DeleteFunc(oneByOne(withoutHumans(s)), func(u Task) bool {
		begun := u.Lane != nil || u.Base != "" || u.Alone
		return !begun && len(s.Suspended) > 0
	})
}

// withoutHumans are the tasks, with those as failed that wait for a human, or would ask one before they are begun.
func withoutHumans(s State) []Task {
	tasks := slices.Clone(s.Tasks)
	for i, t := range tasks {
		held := t.Lane != nil && t.Lane.Held
		if held || t.Lane == nil && t.Base == "" && t.asksFirst(s) {
			tasks[i].Status = TaskFailed
		}
	}
	return tasks
}

// frees finds the first finished task that another one waits for, while nothing else is left to begin: its work may come
// before its turn. That changes nothing in the outcome as long as the task kept to what the plan announces for it.
func frees(s State, done []Task) (string, bool) {
	if list, _ := unbegun(s); len(list) > 0 || s.Parallel < 2 || len(s.Suspended) > 0 {
		return "", false
	}
	passed := map[string]bool{} // tasks that nobody has to wait for any more, once they are brought
	for _, t := range s.Tasks {
		passed[t.ID] = t.Status == TaskCompleted || t.Status != TaskFailed && t.Lane != nil && t.Lane.Step == StepCommit && !t.strayed()
	}
	wanted := map[string]bool{}
	for _, w := range s.Tasks {
		if w.Status == TaskPending && w.Lane == nil && all(w.DependsOn, passed) && !w.alone(s) {
			for _, id := range w.DependsOn {
				wanted[id] = true
			}
		}
	}
	i := slices.IndexFunc(done, func(t Task) bool { return wanted[t.ID] })
	if i < 0 {
		return "", false
	}
	return done[i].ID, true
}

// strayed says whether findings name files that the plan does not announce for the task.
func (t Task) strayed() bool {
	return slices.ContainsFunc(t.Findings, func(f Finding) bool { return f.File != "" && !t.Announces(f.File) })
}

// overdue is the task that lanes which are done wait for while nobody can work on it beside them: it met others and is
// done again on top of them, or the run has fewer workers than the one before. It runs in the run's own working tree.
func overdue(s State) (string, bool) {
	if s.LanesBusy() || len(Startable(s)) > 0 {
		return "", false
	}
	if _, can := nextToIntegrate(s); can {
		return "", false
	}
	places, completed := sequence(s.Tasks), completedOf(s.Tasks)
	able := slices.DeleteFunc(holders(s), func(u Task) bool {
		return u.Status != TaskPending || u.Lane != nil || !all(u.DependsOn, completed)
	})
	for _, t := range lanesDone(s, places) {
		i := slices.IndexFunc(able, func(u Task) bool { return places[u.ID] < places[t.ID] })
		if i >= 0 {
			return able[i].ID, true
		}
	}
	return "", false
}

// bringing says whether the program can go on with the finished work of lanes while a question waits to be asked: it
// takes the next one over, or validates and commits the one that it took.
func (s State) bringing() bool {
	if s.Step == StepPick {
		_, can := nextToIntegrate(s)
		return can
	}
	t, ok := inTree(s)
	asked := slices.ContainsFunc(s.Suspended, func(g Gate) bool { return g.Task == t.ID })
	return ok && !asked && (s.Step == StepValidate || s.Step == StepCommit)
}
