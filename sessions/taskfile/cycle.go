package taskfile

import (
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// loops finds the tasks that wait for themselves, by one walk over what is not completed (Tarjan's). Tasks that wait for
// each other have the same number, above 0; the others have 0.
func (v listView) loops(needs [][]int) []int {
	w := &loopWalk{v: v, needs: needs, order: make([]int, len(needs)), low: make([]int, len(needs)), loop: make([]int, len(needs))}
	for i := range needs {
		if w.order[i] == 0 {
			w.visit(i)
		}
	}
	return w.loop
}

type loopWalk struct {
	v     listView
	needs [][]int
	order []int // when the walk came to a task, from 1
	low   []int // the earliest of those that it leads back to
	path  []int // what was come to and is in no finished group
	loop  []int
	came  int
	found int
}

// left marks in order what belongs to a finished group.
const left = int(^uint(0) >> 1)

func (w *loopWalk) visit(i int) {
	w.came++
	came := w.came
	w.order[i], w.low[i] = came, came
	w.path = append(w.path, i)
	itself := false
	for _, d := range w.open(i) {
		if itself = itself || d == i; w.order[d] == 0 {
			w.visit(d)
			w.low[i] = min(w.low[i], w.low[d])
		} else if w.order[d] != left {
			w.low[i] = min(w.low[i], w.order[d])
		}
	}
	if w.low[i] < came {
		return
	}
	from := len(w.path) - 1
	for w.path[from] != i {
		from--
	}
	group := w.path[from:]
	w.path = w.path[:from]
	if len(group) > 1 || itself {
		w.found++
	}
	for _, m := range group {
		w.order[m] = left
		if len(group) > 1 || itself {
			w.loop[m] = w.found
		}
	}
}

// open is what a task still waits for.
func (w *loopWalk) open(i int) []int {
	if w.v.tasks[i].Status == machine.TaskCompleted {
		return nil
	}
	return w.needs[i]
}

// A chain of up to fullChain tasks is told in full; of a longer one only the beginning helps people.
const (
	fullChain  = 32
	shortChain = 5
)

// chain tells how a task of a loop waits for itself: "a -> b -> a". members is how many the loop has.
func (v listView) chain(i int, needs [][]int, loop []int, members int) string {
	ids := []string{v.tasks[i].ID}
	if members > fullChain {
		for at := i; len(ids) < shortChain; {
			at = needs[at][slices.IndexFunc(needs[at], func(d int) bool { return loop[d] == loop[i] })]
			ids = append(ids, v.tasks[at].ID)
		}
		return strings.Join(append(ids, "...", v.tasks[i].ID), " -> ")
	}
	for _, at := range wayBack(i, needs, loop) {
		ids = append(ids, v.tasks[at].ID)
	}
	return strings.Join(ids, " -> ")
}

// wayBack is the shortest way from a task of a loop to itself.
func wayBack(i int, needs [][]int, loop []int) []int {
	from := map[int]int{} // by which task the search came to one
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for _, d := range needs[queue[0]] {
			if _, known := from[d]; known || loop[d] != loop[i] {
				continue
			}
			from[d] = queue[0]
			if d == i {
				way := []int{i}
				for at := from[i]; at != i; at = from[at] {
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			queue = append(queue, d)
		}
	}
	return nil
}
