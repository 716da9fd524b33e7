package machine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFinishedLanesAreBroughtInTheOrderOfOneByOne(t *testing.T) {
	task := func(id, status string, lane *Lane, needs ...string) Task {
		return Task{ID: id, Kind: KindPlan, Files: []string{id}, Status: status, Lane: lane, DependsOn: needs}
	}
	at := func(step StepName) *Lane { return &Lane{Step: step} }
	held := &Lane{Step: StepDispatch, Held: true}
	strayed := task("b", TaskRunning, at(StepCommit))
	strayed.Findings = []Finding{{Severity: Important, File: "go.sum"}}
	again := task("a", TaskPending, nil)
	again.Alone = true
	checkpoint := task("a", TaskPending, nil)
	asks := []Checkpoint{{Task: "a", Kind: CheckpointDecision}}
	done := task("b", TaskRunning, at(StepCommit))
	for name, c := range map[string]struct {
		tasks       []Task
		parallel    int
		suspended   []Gate
		checkpoints []Checkpoint
		step        StepName
		task        string
	}{
		"nobody is before it":               {[]Task{done}, 2, nil, nil, StepPick, "b"},
		"one before it is at work":          {[]Task{task("a", TaskRunning, at(StepReply)), done}, 2, nil, nil, StepLanes, ""},
		"one before it is tried again":      {[]Task{task("a", TaskPending, at(StepPick)), done}, 2, nil, nil, StepLanes, ""},
		"one before it failed for good":     {[]Task{task("a", TaskFailed, nil), done}, 2, nil, nil, StepPick, "b"},
		"one before it is done":             {[]Task{done, task("a", TaskRunning, at(StepCommit))}, 2, nil, nil, StepPick, "b"},
		"one behind it is at work":          {[]Task{done, task("c", TaskRunning, at(StepReply))}, 2, nil, nil, StepPick, "b"},
		"one before it waits for a human":   {[]Task{task("a", TaskRunning, held), done}, 2, []Gate{{Task: "a"}}, nil, StepPick, "b"},
		"one before it would ask a human":   {[]Task{checkpoint, done}, 2, nil, asks, StepPick, "b"},
		"one before it met others":          {[]Task{again, done}, 2, nil, nil, StepPick, "a"},
		"one before it, and one worker now": {[]Task{task("a", TaskPending, nil), done}, 1, nil, nil, StepPick, "a"},
		"it came later in the plan":         {[]Task{task("a", TaskPending, nil, "c"), done, task("c", TaskRunning, at(StepReply))}, 3, nil, nil, StepPick, "b"},
		"nothing else is left to begin":     {[]Task{task("a", TaskRunning, at(StepReply)), done, task("c", TaskPending, nil, "b")}, 2, nil, nil, StepPick, "b"},
		"there is one worker now":           {[]Task{task("a", TaskRunning, at(StepReply)), done, task("c", TaskPending, nil, "b")}, 1, nil, nil, StepLanes, ""},
		"something else is left to begin":   {[]Task{task("a", TaskRunning, at(StepReply)), done, task("c", TaskPending, nil, "b"), task("d", TaskPending, nil)}, 2, nil, nil, StepLanes, ""},
		"it went beyond what it announced":  {[]Task{task("a", TaskRunning, at(StepReply)), strayed, task("c", TaskPending, nil, "b")}, 2, nil, nil, StepLanes, ""},
		"another is waited for, too":        {[]Task{task("a", TaskRunning, at(StepReply)), done, task("c", TaskPending, nil, "a", "b")}, 2, nil, nil, StepLanes, ""},
	} {
		s := atWork(c.tasks...)
		s.Parallel, s.Suspended, s.Checkpoints = c.parallel, c.suspended, c.checkpoints
		step := Next(s)
		if bring := c.task == "b"; step.Name != c.step || step.Name == StepPick && (step.Task != c.task || step.Bring != bring) {
			t.Errorf("%s: next is %s of %q, bring %t", name, step.Name, step.Task, step.Bring)
		}
	}
}

// inOrder says that what is brought comes behind what was at work beside it and stands before it in the order of one by
// one. What failed for good or waits for a human holds nobody up.
func (v *wave) inOrder(before State, e Event) {
	for _, t := range before.Tasks {
		for _, u := range before.Tasks {
			if t.Lane.Busy() && u.Lane.Busy() {
				if v.beside[t.ID] == nil {
					v.beside[t.ID] = map[string]bool{}
				}
				v.beside[t.ID][u.ID] = true
			}
		}
	}
	if e.Type != TaskBrought {
		return
	}
	for _, id := range v.order[:slices.Index(v.order, e.Task)] {
		u, _ := before.Task(id)
		settled := u.Status == TaskCompleted || u.Status == TaskFailed || u.Lane != nil && u.Lane.Held
		if v.beside[e.Task][id] && !settled && !v.needed(before, e.Task) {
			v.t.Fatalf("%s is brought before %s, which is %s", e.Task, id, u.Status)
		}
	}
}

// needed says whether nothing but what waits for others is left to begin, and something waits for a task that kept to its footprint.
func (v *wave) needed(s State, id string) bool {
	list, _ := unbegun(s)
	idle := len(list) == 0 && v.fates[id].stray == nil
	return idle && slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Status == TaskPending && slices.Contains(t.DependsOn, id) })
}

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
				return t.Status != TaskCompleted && t.Status != TaskFailed && ready(left, t)
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
	s := atWork(tasks...)
	s.Parallel = 8
	began := time.Now()
	step, start := Next(s), Startable(s)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if step.Name != StepLanes || len(start) != 7 || start[0] != TaskID(9) {
		t.Errorf("next is %s of %q, and %v may start", step.Name, step.Task, start)
	}
}
