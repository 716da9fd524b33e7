package machine

import "testing"

func TestForecastScalesTheHistoryToThePlan(t *testing.T) {
	phase := func(outcome string, tasks, dispatches, tokens int, cost float64) HistoryEntry {
		return HistoryEntry{Outcome: outcome, TasksCompleted: tasks, Usage: Usage{Dispatches: dispatches, InputTokens: tokens, CostUSD: cost}}
	}
	for name, c := range map[string]struct {
		history []HistoryEntry
		want    string
	}{
		"nothing yet":     {nil, ""},
		"a skipped phase": {[]HistoryEntry{phase("skipped", 0, 1, 100, 1)}, ""},
		"a phase by hand": {[]HistoryEntry{phase("complete", 2, 0, 0, 0)}, ""},
		"one phase, of whose tasks nothing is known": {
			[]HistoryEntry{phase("complete", 2, 4, 1000, 0.5)},
			"3 to 12 agent runs, 750 to 3000 tokens, $0.38 to $1.50 (half to twice what 1 phase took)",
		},
		"two phases": {[]HistoryEntry{phase("complete", 2, 4, 1000, 0.5), phase("complete", 1, 3, 400, 0.4)}, "6 to 9 agent runs, 1200 to 1500 tokens, $0.75 to $1.20 (by what 2 phases took)"},
		"two phases that took the same": {
			[]HistoryEntry{phase("complete", 1, 2, 400, 0), phase("complete", 1, 2, 400, 0)},
			"about 6 agent runs, about 1200 tokens (by what 2 phases took)",
		},
		"a program tells nothing": {[]HistoryEntry{phase("complete", 3, 5, 0, 0)}, "3 to 10 agent runs (half to twice what 1 phase took)"},
	} {
		got := ""
		if f, ok := (State{History: c.history, Tasks: make([]Task, 3)}).Forecast(); ok {
			got = f.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if f, ok := (State{History: []HistoryEntry{phase("complete", 2, 4, 1000, 0.5)}}).Forecast(); ok {
		t.Errorf("a plan without tasks: %s", f)
	}
}

// TestForecastIsOfTheRest: the plan is made already, and a review costs the same however many tasks there are.
func TestForecastIsOfTheRest(t *testing.T) {
	of := func(dispatches, tokens int) Usage { return Usage{Dispatches: dispatches, InputTokens: tokens} }
	s := State{
		Phases: []Phase{
			{SpentPlanning: of(1, 900), SpentTasks: of(2, 2000)},
			{SpentPlanning: of(3, 9000), SpentTasks: of(3, 6000)},
			{},
		},
		History: []HistoryEntry{
			{Phase: 0, Outcome: "complete", TasksCompleted: 2, Usage: of(4, 3200)},
			{Phase: 1, Outcome: "complete", TasksCompleted: 2, Usage: of(8, 15_500)},
		},
		CurrentPhase: 2, Tasks: make([]Task, 4),
	}
	f, _ := s.Forecast()
	if got, want := f.String(), "5 to 8 agent runs, 4300 to 12500 tokens (by what 2 phases took)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestForecastAfterOnePhaseGoesByItsTasks: as if every task took what the cheapest did, to as if every one took what the
// dearest did.
func TestForecastAfterOnePhaseGoesByItsTasks(t *testing.T) {
	of := func(dispatches, tokens int) Usage { return Usage{Dispatches: dispatches, InputTokens: tokens} }
	after := func(done ...Usage) string {
		var tasks []Task
		entry := HistoryEntry{Outcome: "complete", TasksCompleted: len(done), Usage: of(3, 500)}
		p := Phase{SpentPlanning: of(1, 100)}
		for _, u := range done {
			tasks = append(tasks, Task{Status: TaskCompleted, Spent: Spent{Usage: u}})
			p.SpentTasks, entry.Usage = p.SpentTasks.Plus(u), entry.Usage.Plus(u)
		}
		p.LeastTask, p.MostTask = Spread(tasks)
		f, _ := State{Phases: []Phase{p, {}}, History: []HistoryEntry{entry}, CurrentPhase: 1, Tasks: make([]Task, 4)}.Forecast()
		return f.String()
	}
	for want, done := range map[string][]Usage{
		"6 to 14 agent runs, 4400 to 20400 tokens (by the cheapest and the most expensive task so far)": {of(1, 1000), of(3, 2000), of(1, 5000)},
		"about 6 agent runs, 4400 to 8400 tokens (by the cheapest and the most expensive task so far)":  {of(1, 2000), {}, of(1, 1000)}, // one was done by hand
		"3 to 12 agent runs, 2200 to 8800 tokens (half to twice what 1 phase took)":                     {of(1, 1000)},
	} {
		if got := after(done...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
