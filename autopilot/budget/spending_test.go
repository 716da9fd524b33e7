package budget

import "testing"

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
