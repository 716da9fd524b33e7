package machine

import "slices"

// toBring is the task whose lane is done and whose work comes next onto the run's branch: in the order of all, so that
// the outcome is that of one task after the other.
func toBring(s State) (string, bool) {
	if _, waits := inTree(s); waits {
		return "", false
	}
	done := lanesDone(s)
	for _, t := range done {
		if len(holders(s, t)) == 0 {
			return t.ID, true
		}
	}
	for _, t := range done {
		if frees(s, t) {
			return t.ID, true
		}
	}
	return "", false
}

// lanesDone lists the tasks whose lanes are done, in the order.
func lanesDone(s State) []Task {
	places := sequence(s.Tasks)
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

// holders lists, for a task whose lane is done, the tasks that have to come onto the run's branch first: those before it
// in the order. One that failed for good, or waits for a human, holds nobody up, nor does one that is not begun while a
// question waits.
func holders(s State, t Task) []Task {
	places := sequence(s.Tasks)
	var list []Task
	for _, u := range oneByOne(withoutHumans(s)) {
		begun := u.Lane != nil || u.Base != "" || u.Alone
		if places[u.ID] < places[t.ID] && (begun || len(s.Suspended) == 0) {
			list = append(list, u)
		}
	}
	return list
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

// frees says whether another task could be begun if this one's work were brought before its turn, while nothing else is
// left to begin. That changes nothing in the outcome as long as the task kept to what the plan announces for it.
func frees(s State, t Task) bool {
	if list, _ := unbegun(s); len(list) > 0 || s.Parallel < 2 || len(s.Suspended) > 0 || t.Status == TaskFailed || t.strayed() {
		return false
	}
	return slices.ContainsFunc(s.Tasks, func(w Task) bool {
		waits := w.Status == TaskPending && w.Lane == nil && !w.alone(s) && slices.Contains(w.DependsOn, t.ID)
		return waits && !slices.ContainsFunc(w.DependsOn, func(id string) bool {
			d, _ := s.Task(id)
			passed := d.Lane != nil && d.Lane.Step == StepCommit && d.Status != TaskFailed && !d.strayed()
			return d.Status != TaskCompleted && !passed
		})
	})
}

// strayed says whether findings name files that the plan does not announce for the task.
func (t Task) strayed() bool {
	return slices.ContainsFunc(t.Findings, func(f Finding) bool { return f.File != "" && !t.Announces(f.File) })
}

// overdue is the task that lanes which are done wait for while nobody can work on it beside them: it met others and is
// done again on top of them, or the run has fewer workers than the one before. It runs in the run's own working tree.
func overdue(s State) (string, bool) {
	if _, can := toBring(s); can || s.LanesBusy() || len(Startable(s)) > 0 {
		return "", false
	}
	for _, t := range lanesDone(s) {
		for _, u := range holders(s, t) {
			if u.Status == TaskPending && u.Lane == nil && ready(s.Tasks, u) {
				return u.ID, true
			}
		}
	}
	return "", false
}

// bringing says whether the program can go on with the finished work of lanes while a question waits to be asked: it
// takes the next one over, or validates and commits the one that it took.
func (s State) bringing() bool {
	if s.Step == StepPick {
		_, can := toBring(s)
		return can
	}
	t, ok := inTree(s)
	asked := slices.ContainsFunc(s.Suspended, func(g Gate) bool { return g.Task == t.ID })
	return ok && !asked && (s.Step == StepValidate || s.Step == StepCommit)
}
