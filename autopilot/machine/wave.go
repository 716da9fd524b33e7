package machine

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Startable lists the tasks that may be started beside what is at work now: each in a lane of its own, no more than
// Parallel in all. A task waits for its dependencies, and for tasks whose footprints meet its own; one that has to be
// alone waits for everybody, and those behind it in the plan wait for it. Where nothing is at work and only one could
// start, none is listed: it runs in the run's own working tree.
func Startable(s State) []string {
	list, busy := unbegun(s)
	return list[:min(len(list), max(0, s.lanes()-busy))]
}

// unbegun lists tasks that could be started if a worker were free, and returns how many workers are busy. It lists at
// least as many as there are free workers, if there are so many, and in any case the first two.
func unbegun(s State) (list []string, busy int) {
	if s.CurrentState != Execute || s.Gate != nil || len(s.Suspended) > 0 || !amongTasks(s.Step) {
		return nil, 0
	}
	var taken []Task // whose footprints are taken
	if t, ok := inTree(s); ok {
		if t.alone(s) {
			return nil, 0
		}
		taken = append(taken, t)
		if s.Step != StepValidate && s.Step != StepCommit { // those are the program's work
			busy = 1
		}
	}
	for _, t := range s.Tasks {
		switch {
		case t.Lane.Busy():
			busy++
			fallthrough
		case t.Lane != nil && t.Lane.Step == StepCommit:
			taken = append(taken, t)
		case t.Lane != nil:
			taken, list = append(taken, t), append(list, t.ID)
		}
	}
	nothing := len(taken) == 0
	list = append(list, besides(s, taken, max(2, s.lanes()-busy))...)
	if nothing && len(list) == 1 {
		return nil, 0
	}
	return list, busy
}

// besides lists the first tasks without a lane, at most so many, that may run beside those that have taken their
// footprints. None overtakes one that it meets and that would come before it one by one, so that the outcome is the same.
func besides(s State, taken []Task, most int) []string {
	if s.Parallel < 2 {
		return nil
	}
	var list []string
	completed := completedOf(s.Tasks)
	for _, t := range oneByOne(s.Tasks) {
		current := t.ID == s.CurrentTask && s.Step != StepPick
		if t.Status != TaskPending || t.Lane != nil || current {
			continue
		}
		free := all(t.DependsOn, completed) && !slices.ContainsFunc(taken, func(other Task) bool { return Meet(t, other) })
		if free && t.alone(s) || len(t.footprint()) == 0 || len(list) == most {
			break
		}
		if free {
			list = append(list, t.ID)
		}
		taken = append(taken, t)
	}
	return list
}

// oneByOne is the order in which tasks run without lanes: what they depend on first, ties in plan order. Those that
// depend on one that failed for good, and so never run, are left out.
func oneByOne(tasks []Task) []Task {
	completed, waiting := completedOf(tasks), map[string][]int{}
	missing := make([]int, len(tasks)) // how many dependencies are not completed
	var able []int                     // in plan order
	for i, t := range tasks {
		if t.Over() || t.Status == TaskFailed {
			continue
		}
		for _, id := range t.DependsOn {
			if !completed[id] {
				missing[i]++
				waiting[id] = append(waiting[id], i)
			}
		}
		if missing[i] == 0 {
			able = append(able, i)
		}
	}
	var order []Task
	for len(able) > 0 {
		t := tasks[able[0]]
		able, order = able[1:], append(order, t)
		for _, i := range waiting[t.ID] {
			if missing[i]--; missing[i] == 0 {
				at, _ := slices.BinarySearch(able, i)
				able = slices.Insert(able, at, i)
			}
		}
	}
	return order
}

// lanes is how many agents may be at work at once.
func (s State) lanes() int { return max(1, s.Parallel) }

func (s State) busyLanes() int {
	n := 0
	for _, t := range s.Tasks {
		if t.Lane.Busy() {
			n++
		}
	}
	return n
}

// amongTasks says whether the steps of single tasks are at hand, with the plan committed.
func amongTasks(step StepName) bool {
	return slices.Contains([]StepName{StepPick, StepDiagnose, StepDiagnosis, StepDispatch, StepReply, StepValidate, StepCommit, StepRollback}, step)
}

// inTree is the task that is at work in the run's own working tree, or is to be tried there again.
func inTree(s State) (Task, bool) {
	t := FindTask(s.Tasks, s.CurrentTask)
	if t == nil || t.Lane != nil || t.Status != TaskRunning && (t.Status != TaskPending || t.Base == "" && t.Kind != KindHumanFix) {
		return Task{}, false
	}
	return *t, true
}

// alone says whether nothing else may be at work while the task is.
func (t Task) alone(s State) bool {
	return t.Kind != KindPlan || t.Alone || len(t.Files)+len(t.Owns) == 0 || t.asksFirst(s)
}

// asksFirst says whether a human is asked before the task is begun.
func (t Task) asksFirst(s State) bool {
	return slices.ContainsFunc(s.Checkpoints, func(c Checkpoint) bool { return c.Task == t.ID && !c.Passed && c.Kind != CheckpointVerify }) ||
		slices.ContainsFunc(s.LeftOut, t.Announces)
}

// Meet says whether two tasks may touch the same file, by what the plan announces for each: paths, folders or globs.
// Of two globs only their fixed beginnings are compared, and what may be a folder counts as one, so that a doubt counts as
// meeting.
func Meet(a, b Task) bool {
	for _, p := range a.footprint() {
		for _, q := range b.footprint() {
			if overlap(p, q) {
				return true
			}
		}
	}
	return false
}

func (t Task) footprint() []string {
	return slices.Concat(t.Files, t.Owns, t.ChangesTests)
}

// Announces says whether a path lies within what the plan announces for the task.
func (t Task) Announces(file string) bool {
	return slices.ContainsFunc(t.footprint(), func(p string) bool {
		p = path.Clean(p)
		return p == file || within(file, p) || isGlob(p) && matches(p, file)
	})
}

func overlap(p, q string) bool {
	pFolder, qFolder := mayBeFolder(p), mayBeFolder(q)
	p, q = strings.ToLower(path.Clean(p)), strings.ToLower(path.Clean(q)) // a file system may not tell cases apart
	if p == q || within(p, q) || within(q, p) {
		return true
	}
	pGlob, qGlob := isGlob(p), isGlob(q)
	switch {
	case pGlob && qGlob:
		return strings.HasPrefix(fixed(p), fixed(q)) || strings.HasPrefix(fixed(q), fixed(p))
	case pGlob:
		return matches(p, q) || fixedDir(p) == q || within(fixedDir(p), q) || qFolder && findsIn(p, q)
	case qGlob:
		return matches(q, p) || fixedDir(q) == p || within(fixedDir(q), p) || pFolder && findsIn(q, p)
	}
	return false
}

// mayBeFolder says whether a path of a plan names a folder, or may: it does not say that it is a file.
func mayBeFolder(p string) bool {
	return strings.HasSuffix(p, "/") || path.Ext(strings.TrimLeft(path.Base(p), ".")) == ""
}

// findsIn says whether a glob may match something in a folder: what it begins with matches the folder itself.
func findsIn(glob, dir string) bool {
	for i := range glob {
		if glob[i] == '/' && matches(glob[:i], dir) {
			return true
		}
	}
	return false
}

// within says whether p lies in the folder dir.
func within(p, dir string) bool { return dir == "." || strings.HasPrefix(p, dir+"/") }

func isGlob(p string) bool { return strings.ContainsAny(p, "*?[{\\") }

// fixed is a glob up to its first special character.
func fixed(glob string) string { return glob[:strings.IndexAny(glob+"*", "*?[{\\")] }

func fixedDir(glob string) string { return path.Clean(path.Dir(fixed(glob) + "x")) }

func matches(glob, p string) bool {
	ok, err := doublestar.Match(glob, p)
	return ok || err != nil
}

// LanesBusy says whether a lane of the wave is at work.
func (s State) LanesBusy() bool { return s.busyLanes() > 0 }

// LanesOpen says whether a task has a lane.
func (s State) LanesOpen() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Lane != nil })
}
