package transition

import (
	"slices"
	"testing"

	"autopilot/autopilot/machine"
)

func TestFinishedLanesAreBroughtInTheOrderOfOneByOne(t *testing.T) {
	task := func(id, status string, lane *machine.Lane, needs ...string) machine.Task {
		return machine.Task{ID: id, Kind: machine.KindPlan, Files: []string{id}, Status: status, Lane: lane, DependsOn: needs}
	}
	at := func(step machine.StepName) *machine.Lane { return &machine.Lane{Step: step} }
	held := &machine.Lane{Step: machine.StepDispatch, Held: true}
	strayed := task("b", machine.TaskRunning, at(machine.StepCommit))
	strayed.Findings = []machine.Finding{{Severity: machine.Important, File: "go.sum"}}
	again := task("a", machine.TaskPending, nil)
	again.Alone = true
	checkpoint := task("a", machine.TaskPending, nil)
	asks := []machine.Checkpoint{{Task: "a", Kind: machine.CheckpointDecision}}
	done := task("b", machine.TaskRunning, at(machine.StepCommit))
	for name, c := range map[string]struct {
		tasks       []machine.Task
		parallel    int
		suspended   []machine.Gate
		checkpoints []machine.Checkpoint
		step        machine.StepName
		task        string
	}{
		"nobody is before it":               {[]machine.Task{done}, 2, nil, nil, machine.StepPick, "b"},
		"one before it is at work":          {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), done}, 2, nil, nil, machine.StepLanes, ""},
		"one before it is tried again":      {[]machine.Task{task("a", machine.TaskPending, at(machine.StepPick)), done}, 2, nil, nil, machine.StepLanes, ""},
		"one before it failed for good":     {[]machine.Task{task("a", machine.TaskFailed, nil), done}, 2, nil, nil, machine.StepPick, "b"},
		"one before it is done":             {[]machine.Task{done, task("a", machine.TaskRunning, at(machine.StepCommit))}, 2, nil, nil, machine.StepPick, "b"},
		"one behind it is at work":          {[]machine.Task{done, task("c", machine.TaskRunning, at(machine.StepReply))}, 2, nil, nil, machine.StepPick, "b"},
		"one before it waits for a human":   {[]machine.Task{task("a", machine.TaskRunning, held), done}, 2, []machine.Gate{{Task: "a"}}, nil, machine.StepPick, "b"},
		"one before it would ask a human":   {[]machine.Task{checkpoint, done}, 2, nil, asks, machine.StepPick, "b"},
		"one before it met others":          {[]machine.Task{again, done}, 2, nil, nil, machine.StepPick, "a"},
		"one before it, and one worker now": {[]machine.Task{task("a", machine.TaskPending, nil), done}, 1, nil, nil, machine.StepPick, "a"},
		"it came later in the plan":         {[]machine.Task{task("a", machine.TaskPending, nil, "c"), done, task("c", machine.TaskRunning, at(machine.StepReply))}, 3, nil, nil, machine.StepPick, "b"},
		"nothing else is left to begin":     {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), done, task("c", machine.TaskPending, nil, "b")}, 2, nil, nil, machine.StepPick, "b"},
		"there is one worker now":           {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), done, task("c", machine.TaskPending, nil, "b")}, 1, nil, nil, machine.StepLanes, ""},
		"something else is left to begin":   {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), done, task("c", machine.TaskPending, nil, "b"), task("d", machine.TaskPending, nil)}, 2, nil, nil, machine.StepLanes, ""},
		"it went beyond what it announced":  {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), strayed, task("c", machine.TaskPending, nil, "b")}, 2, nil, nil, machine.StepLanes, ""},
		"another is waited for, too":        {[]machine.Task{task("a", machine.TaskRunning, at(machine.StepReply)), done, task("c", machine.TaskPending, nil, "a", "b")}, 2, nil, nil, machine.StepLanes, ""},
	} {
		s := atWork(c.tasks...)
		s.Parallel, s.Suspended, s.Checkpoints = c.parallel, c.suspended, c.checkpoints
		step := machine.Next(s)
		if bring := c.task == "b"; step.Name != c.step || step.Name == machine.StepPick && (step.Task != c.task || step.Bring != bring) {
			t.Errorf("%s: next is %s of %q, bring %t", name, step.Name, step.Task, step.Bring)
		}
	}
}

// inOrder says that what is brought comes behind what was at work beside it and stands before it in the order of one by
// one. What failed for good or waits for a human holds nobody up.
func (v *wave) inOrder(before machine.State, e machine.Event) {
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
	if e.Type != machine.TaskBrought {
		return
	}
	for _, id := range v.order[:slices.Index(v.order, e.Task)] {
		u, _ := before.Task(id)
		settled := u.Status == machine.TaskCompleted || u.Status == machine.TaskFailed || u.Lane != nil && u.Lane.Held
		if v.beside[e.Task][id] && !settled && !v.needed(before, e.Task) {
			v.t.Fatalf("%s is brought before %s, which is %s", e.Task, id, u.Status)
		}
	}
}

// needed says whether nothing but what waits for others is left to begin, and something waits for a task that kept to its footprint.
func (v *wave) needed(s machine.State, id string) bool {
	several := s.Parallel > 1
	s.Parallel = 99 // what could be begun if a worker were free
	idle := several && len(machine.Startable(s)) == 0 && v.fates[id].stray == nil
	return idle && slices.ContainsFunc(s.Tasks, func(t machine.Task) bool { return t.Status == machine.TaskPending && slices.Contains(t.DependsOn, id) })
}

// isReady says whether all that a task depends on is completed.
func isReady(tasks []machine.Task, t machine.Task) bool {
	return !slices.ContainsFunc(t.DependsOn, func(id string) bool {
		d := machine.FindTask(tasks, id)
		return d == nil || d.Status != machine.TaskCompleted
	})
}

// isAlone says whether the plan has nothing run beside a task.
func isAlone(t machine.Task) bool {
	return t.Kind != machine.KindPlan || t.Alone || len(t.Files)+len(t.Owns) == 0
}

// inTurn is the order in which tasks run one after the other.
func inTurn(tasks []machine.Task) (order []machine.Task) {
	left := slices.Clone(tasks)
	for {
		i := slices.IndexFunc(left, func(t machine.Task) bool { return t.Status == machine.TaskPending && isReady(left, t) })
		if i < 0 {
			return order
		}
		order, left[i].Status = append(order, left[i]), machine.TaskCompleted
	}
}
