package machine

import (
	"strings"
	"testing"
)

// atWork is a session whose tasks have lanes.
func atWork(tasks ...Task) State {
	s := fresh(Fast, Low)
	s.CurrentState, s.Step, s.Tasks, s.Parallel = Execute, StepPick, tasks, 2
	return s
}

func TestWorkThatFailedForGoodAndMetOthersIsNamedWhereItIsAskedAbout(t *testing.T) {
	const ref = "refs/autopilot/x/lane/task-001"
	s := atWork(Task{
		ID: "task-001", Title: "One", Status: TaskFailed, Lane: &Lane{Step: StepCommit},
		Attempts: []Attempt{{Result: "failed", Error: "exit code 1"}},
	})
	for _, e := range []Event{
		{Type: TaskBrought, Task: "task-001", Base: "c2", Conflicts: []string{"shared.txt"}, Detail: ref},
		{Type: TasksExhausted},
		{Type: EffectDone},
	} {
		e.Rev, e.Time = s.Revision+1, day
		before := s
		var err error
		if s, err = Apply(before, e); err != nil {
			t.Fatalf("%s: %v", e.Type, err)
		}
		if len(before.Tasks[0].Failures()) != 1 || e.Type == TaskBrought && before.Tasks[0].lastError() != "exit code 1" {
			t.Fatalf("%s changed the state that it was given", e.Type)
		}
	}
	if s.Gate == nil || s.Gate.Kind != GateTasksExhausted || !strings.Contains(strings.Join(s.Gate.Context, "\n"), ref) {
		t.Errorf("the question is %+v", s.Gate)
	}
}

func TestOnlyWorkThatStandsCanBeLost(t *testing.T) {
	s := atWork(Task{ID: "task-001", Status: TaskFailed, Lane: &Lane{Step: StepCommit}})
	if _, err := Apply(s, Event{Rev: s.Revision + 1, Type: RolledBack, Task: "task-001"}); err == nil {
		t.Error("a task that failed for good is begun again")
	}
}
