package machine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tasksOf makes tasks in plan order, each written as its number and, behind a colon, those that it depends on.
func tasksOf(written ...string) []Task {
	var tasks []Task
	for _, w := range written {
		number, needs, _ := strings.Cut(w, ":")
		tasks = append(tasks, Task{ID: "task-" + number, Number: number})
		for _, n := range strings.Fields(needs) {
			tasks[len(tasks)-1].DependsOn = append(tasks[len(tasks)-1].DependsOn, "task-"+n)
		}
	}
	return tasks
}

func TestFirstCycleInPlanOrderIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		tasks []Task
		want  string
	}{
		"none":                          {tasksOf("1", "2:1", "3:1 2"), ""},
		"no tasks":                      {nil, ""},
		"two ways to the same are none": {tasksOf("1", "2:1", "3:1", "4:2 3"), ""},
		"itself":                        {tasksOf("1", "2:2"), "task-2"},
		"two":                           {tasksOf("1:3", "2", "3:1"), "task-1 task-3"},
		"a long one":                    {tasksOf("1:3", "2:1", "3:4", "4:2"), "task-1 task-3 task-4 task-2"},
		"one that others wait for":      {tasksOf("1:2", "2:3", "3:2"), "task-2 task-3"},
		"the first of several":          {tasksOf("4:4", "1:2", "2:1"), "task-4"},
		"by the first way as written":   {tasksOf("1:2 3", "2:1", "3:1"), "task-1 task-2"},
		"not through what is not there": {tasksOf("1:9", "2:1"), ""},
	} {
		if got := strings.Join(Cycle(c.tasks), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTasksCanBeRunExactlyWhereNothingHinders compares with what happens when tasks are run until none can any more.
func TestTasksCanBeRunExactlyWhereNothingHinders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 7).Draw(t, "tasks")
		tasks := make([]Task, n)
		for i := range tasks {
			tasks[i] = Task{ID: TaskID(i + 1), Status: TaskPending}
			for _, d := range rapid.SliceOfN(rapid.IntRange(1, n+rapid.IntRange(0, 1).Draw(t, "beyond")), 0, 2).Draw(t, "needs") {
				tasks[i].DependsOn = append(tasks[i].DependsOn, TaskID(d))
			}
		}
		hindrances, cycle := Hindrances(tasks), Cycle(tasks)
		for i, id := range cycle {
			if next := cycle[(i+1)%len(cycle)]; !slices.Contains(FindTask(tasks, id).DependsOn, next) {
				t.Fatalf("in %v %s does not depend on %s", cycle, id, next)
			}
		}
		ran := 0
		for s := (State{Tasks: tasks}); ; ran++ {
			id, ok := NextTask(s)
			if !ok {
				break
			}
			FindTask(s.Tasks, id).Status = TaskCompleted
		}
		if (ran == n) != (len(hindrances) == 0) {
			t.Fatalf("%d of %d ran, hindered by %q", ran, n, hindrances)
		}
	})
}

func TestHindrancesAreNamedAsThePlanWritesThem(t *testing.T) {
	tasks := tasksOf("A1:B", "B:A1")
	tasks[1].DependsOn = append(tasks[1].DependsOn, `"all previous"`)
	got := fmt.Sprint(Hindrances(tasks))
	if want := `[Task B depends on "all previous", which is no task of the plan the dependencies of its tasks form a cycle: Task A1 → Task B → Task A1]`; got != want {
		t.Errorf("got %s", got)
	}
}
