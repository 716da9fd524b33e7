package transition

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

// atWork is a session whose tasks have lanes.
func atWork(tasks ...machine.Task) machine.State {
	s := fresh(machine.Fast, machine.Low)
	s.CurrentState, s.Step, s.Tasks, s.Parallel = machine.Execute, machine.StepPick, tasks, 2
	return s
}

func TestWorkThatFailedForGoodAndMetOthersIsNamedWhereItIsAskedAbout(t *testing.T) {
	const ref = "refs/autopilot/x/lane/task-001"
	s := atWork(machine.Task{
		ID: "task-001", Title: "One", Status: machine.TaskFailed, Lane: &machine.Lane{Step: machine.StepCommit},
		Attempts: []machine.Attempt{{Result: "failed", Error: "exit code 1"}},
	})
	for _, e := range []machine.Event{
		{Type: machine.TaskBrought, Task: "task-001", Base: "c2", Conflicts: []string{"shared.txt"}, Detail: ref},
		{Type: machine.TasksExhausted},
		{Type: machine.EffectDone},
	} {
		e.Rev, e.Time = s.Revision+1, day
		before := s
		var err error
		if s, err = Apply(before, e); err != nil {
			t.Fatalf("%s: %v", e.Type, err)
		}
		if len(before.Tasks[0].Failures()) != 1 || e.Type == machine.TaskBrought && lastError(before.Tasks[0]) != "exit code 1" {
			t.Fatalf("%s changed the state that it was given", e.Type)
		}
	}
	if s.Gate == nil || s.Gate.Kind != machine.GateTasksExhausted || !strings.Contains(strings.Join(s.Gate.Context, "\n"), ref) {
		t.Errorf("the question is %+v", s.Gate)
	}
}

func TestOnlyWorkThatStandsCanBeLost(t *testing.T) {
	s := atWork(machine.Task{ID: "task-001", Status: machine.TaskFailed, Lane: &machine.Lane{Step: machine.StepCommit}})
	if _, err := Apply(s, machine.Event{Rev: s.Revision + 1, Type: machine.RolledBack, Task: "task-001"}); err == nil {
		t.Error("a task that failed for good is begun again")
	}
}
