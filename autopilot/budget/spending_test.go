package budget

import (
	"testing"

	"autopilot/autopilot/machine"
)

func TestAWarningSaysHowManyTasksAreLeft(t *testing.T) {
	for _, c := range []struct {
		used float64
		done int
		want string
		near bool
	}{
		{15.9, 4, "80% of the budget of 20.00 USD is used, about 1 task left; --max-cost raises it.", false},
		{16, 12, "80% of the budget of 20.00 USD is used, about 3 tasks left; --max-cost raises it.", true},
		{19, 4, "95% of the budget of 20.00 USD is used, about 0 tasks left; --max-cost raises it.", true},
		{22, 4, "110% of the budget of 20.00 USD is used, about 0 tasks left; --max-cost raises it.", true},
		{16, 0, "80% of the budget of 20.00 USD is used; --max-cost raises it.", true},
	} {
		got, near := Budget{Name: "20.00 USD", Flag: "--max-cost", Used: c.used, Most: 20, Done: c.done}.Warning()
		if got != c.want || near != c.near {
			t.Errorf("%v with %d tasks: %q, %v", c.used, c.done, got, near)
		}
	}
}

// TestAPartOfABudgetIsRaisedWithTheBudget: no task's own limit would help.
func TestAPartOfABudgetIsRaisedWithTheBudget(t *testing.T) {
	s := machine.State{Phases: []machine.Phase{{Number: "1"}}, Tasks: []machine.Task{{ID: "task-001", Spent: machine.Spent{Usage: machine.Usage{CostUSD: 2.5}}}}}
	for part, want := range map[bool]string{
		true:  "the budget of 2.50 USD for task-001, its part beside others, is used up; --max-cost raises it",
		false: "the budget of 2.50 USD for task-001 is used up; --max-per-task cost=5 raises it",
	} {
		if got := Spent(Budgets(s, Limits{Task: Bounds{CostUSD: 2.5}, Part: part}, "task-001")); got == nil || got.What != want {
			t.Errorf("part %v: %v", part, got)
		}
	}
}
