package machine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTheOrderIsThatOfOneTaskAfterTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tasks []Task
		n := rapid.IntRange(1, 9).Draw(t, "tasks")
		for i := range n {
			task := Task{ID: TaskID(i + 1), Status: rapid.SampledFrom([]string{TaskPending, TaskRunning, TaskCompleted, TaskFailed}).Draw(t, "status")}
			for range rapid.IntRange(0, 2).Draw(t, "dependencies") {
				task.DependsOn = append(task.DependsOn, TaskID(rapid.IntRange(1, n+1).Draw(t, "dependency")))
			}
			tasks = append(tasks, task)
		}
		var got, want []string
		for _, task := range oneByOne(tasks) {
			got = append(got, task.ID)
		}
		left := slices.Clone(tasks) // run here: the first that can
		for i := 0; i >= 0; {
			i = slices.IndexFunc(left, func(t Task) bool {
				return t.Status != TaskCompleted && t.Status != TaskFailed && all(t.DependsOn, completedOf(left))
			})
			if i >= 0 {
				want, left[i].Status = append(want, left[i].ID), TaskCompleted
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v, of %+v", got, want, tasks)
		}
	})
}

// The bound is far above what it takes, and far below what a time that grows with the square of the tasks would be.
func TestTheNextStepOfALargePhaseIsFoundAtOnce(t *testing.T) {
	tasks := make([]Task, 3000)
	for i := range tasks {
		tasks[i] = Task{ID: TaskID(i + 1), Kind: KindPlan, Files: []string{fmt.Sprintf("file%d.go", i)}, Status: TaskPending}
	}
	for i := range tasks[:8] {
		tasks[i].Status, tasks[i].Lane = TaskRunning, &Lane{Step: StepCommit}
	}
	tasks[0].Lane.Step = StepReply
	s := State{CurrentState: Execute, Step: StepPick, Tasks: tasks, Phases: make([]Phase, 1), Parallel: 8}
	began := time.Now()
	step, start := Next(s), Startable(s)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if step.Name != StepLanes || len(start) != 7 || start[0] != TaskID(9) {
		t.Errorf("next is %s of %q, and %v may start", step.Name, step.Task, start)
	}
}
