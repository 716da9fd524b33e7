package flow

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
)

// TestLanesOvershootABudgetByOneCallEach plays sessions whose agents call models beside each other, with budgets that rarely last. The
// workflow hears of calls late, and a lane hardly ever hears what the others spent: what is set aside for each has to keep the sum.
func TestLanesOvershootABudgetByOneCallEach(t *testing.T) {
	stopped := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := script{seed: rapid.Uint64().Draw(rt, "seed"), tasks: rapid.IntRange(2, 6).Draw(rt, "tasks"), parallel: rapid.IntRange(2, 8).Draw(rt, "lanes"), phases: 1, bad: rapid.SampledFrom([]float64{0, 0.2}).Draw(rt, "bad")}
		dearest := machine.Usage{InputTokens: rapid.IntRange(1, 20).Draw(rt, "tokens of the dearest call"), CostUSD: rapid.Float64Range(0.01, 1).Draw(rt, "its cost")}
		bound := func(of string) budget.Bounds {
			return budget.Bounds{Tokens: rapid.IntRange(1, 400).Draw(rt, "tokens of "+of), CostUSD: rapid.Float64Range(0.1, 40).Draw(rt, "cost of "+of), Dispatches: rapid.IntRange(1, 30).Draw(rt, "agent runs of "+of)}
		}
		limits := budget.Limits{Session: bound("the session"), Phase: bound("the phase"), Task: bound("a task")}
		k := &worker{script: s, dir: filepath.Join(t.TempDir(), "workflow"), every: rapid.IntRange(1, 5).Draw(rt, "calls between records")}
		loses := rapid.Bool().Draw(rt, "workers are lost")
		if loses {
			k.lost = losses(s.seed)
		}
		k.calls = func(task string) (all []machine.Usage) {
			k.mu.Lock()
			defer k.mu.Unlock()
			r := s.luck("calls of "+task, int64(k.paid.InputTokens))
			for range r.IntN(12) {
				all = append(all, machine.Usage{InputTokens: 1 + r.IntN(dearest.InputTokens), CostUSD: dearest.CostUSD * r.Float64()})
			}
			return all
		}
		play(rt, k, Input{First: s.first(), Job: Job{Limits: &limits}})
		var r Result
		if err := k.env.GetWorkflowResult(&r); err != nil {
			rt.Fatal(err)
		}
		if r.Stopped != "" {
			stopped++
		}
		over := func(used machine.Usage, by budget.Bounds, of string) {
			calls := s.parallel
			if used.InputTokens-by.Tokens > calls*dearest.InputTokens || used.CostUSD-by.CostUSD > float64(calls)*dearest.CostUSD+1e-6 || used.Dispatches > by.Dispatches {
				rt.Fatalf("%d lanes used %+v of %+v for %s, and the dearest call took %+v", calls, used, by, of, dearest)
			}
		}
		over(k.hub.Usage, limits.Session, "the session")
		over(k.hub.Phases[0].Spent.Usage, limits.Phase, "the phase")
		if paid := k.paid.Minus(k.hub.Usage); (paid.InputTokens != 0 || paid.CostUSD > 1e-6) && !loses {
			rt.Fatalf("%+v was paid that nobody counted", paid)
		}
		if stops := strings.Contains(r.Stopped, "is used up"); stops == (r.State == machine.Done) && s.bad == 0 {
			rt.Fatalf("it ends in %s: %s", r.State, r.Stopped)
		}
	})
	if stopped == 0 {
		t.Error("no budget was ever used up")
	}
}

// TestWhoUsedUpItsPartOfABudgetWaitsForAnotherLane: what that leaves is there for the others.
func TestWhoUsedUpItsPartOfABudgetWaitsForAnotherLane(t *testing.T) {
	k, in := wave(t)
	in.Job.Limits = rich()
	var mu sync.Mutex
	spent, ended, again := "", false, false
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case a.Task == "":
			return nil, nil
		case spent == "" && *a.Job.Limits != *rich():
			spent = a.Task
			return &Played{Spent: "the cost limit"}, nil
		case a.Task == spent && !ended:
			t.Errorf("%s goes on although no other lane has ended", spent)
		case a.Task == spent:
			again = true
		}
		return nil, nil
	}
	k.told = func(task string, e machine.EventType) {
		mu.Lock()
		defer mu.Unlock()
		ended = ended || task != "" && task != spent && e == machine.Validated
	}
	play(t, k, in)
	if !again {
		t.Fatal("no lane used up its part, or it never went on")
	}
}

// TestABudgetThatAllLanesUsedUpStopsTheSession: nobody is left who could give something back.
func TestABudgetThatAllLanesUsedUpStopsTheSession(t *testing.T) {
	k, in := wave(t)
	in.Job.Limits = rich()
	parts := 0
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		if a.Task == "" {
			return nil, nil
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if *a.Job.Limits != *rich() {
			parts++
			return &Played{Spent: "the part is used up"}, nil
		}
		return &Played{Spent: "the budget is used up"}, nil
	}
	if r := result(t, k, in); r.Stopped != "the budget is used up" || parts < 2 || r.State != machine.Execute {
		t.Errorf("it ends with %+v", r)
	}
}

// rich are budgets that no session here uses up.
func rich() *budget.Limits {
	b := budget.Bounds{Dispatches: 1000, Tokens: 1e6, CostUSD: 1000}
	return &budget.Limits{Session: b, Phase: b, Task: b}
}

// TestALaneThatIsFreeHasItsPartOfWhatIsLeft of the scarcer budget, beside what its task used.
func TestALaneThatIsFreeHasItsPartOfWhatIsLeft(t *testing.T) {
	limits := budget.Limits{Session: budget.Bounds{Dispatches: 20, CostUSD: 10, Tokens: 1000}, Phase: budget.Bounds{Dispatches: 10, CostUSD: 7, Tokens: 600}, Task: budget.Bounds{CostUSD: 5, Tokens: 800}}
	s := machine.State{CurrentState: machine.Execute, Usage: machine.Usage{CostUSD: 4, InputTokens: 300, OutputTokens: 100, Dispatches: 14}, Phases: []machine.Phase{{}}}
	s.Phases[0].Spent.Usage = machine.Usage{CostUSD: 1, InputTokens: 50, OutputTokens: 50, Dispatches: 8}
	for i := range 3 {
		s.Tasks = append(s.Tasks, machine.Task{ID: machine.TaskID(i + 1)})
	}
	s.Tasks[0].Spent.Usage = machine.Usage{CostUSD: 0.5, InputTokens: 40}
	w := &session{s: s, job: Job{Limits: &limits}, reserved: map[string]*reservation{}, last: map[string]bool{}, going: lanes{"task-001": true, "task-002": true, "task-003": true}}
	next := func(task string) budget.Bounds {
		l, ok := w.reserve(task, machine.Step{Name: machine.StepDispatch, Task: task})
		if !ok {
			return budget.Bounds{}
		}
		return l.Task
	}
	check := func(what, task string, want budget.Bounds) {
		t.Helper()
		if got := next(task); got != want {
			t.Errorf("%s: %s has %+v, want %+v", what, task, got, want)
		}
	}
	check("a third of 6 USD and 500 tokens, above 0.50 and 40", "task-001", budget.Bounds{CostUSD: 2.5, Tokens: 206})
	check("as much, though nothing was used yet", "task-002", budget.Bounds{CostUSD: 2, Tokens: 167})
	check("no agent run is left", "task-003", budget.Bounds{})
	used := machine.Usage{CostUSD: 0.75, InputTokens: 25}
	w.spent(machine.Event{Task: "task-001"}, used)
	for _, sum := range []*machine.Usage{&w.s.Usage, &w.s.Phases[0].Spent.Usage, &w.s.Tasks[0].Spent.Usage} {
		*sum = sum.Plus(used)
	}
	if r := w.reserved["task-001"]; r.CostUSD != 1.25 || r.Tokens != 141 {
		t.Errorf("of what is set aside %+v is left", r)
	}
	if !w.release("task-001") {
		t.Error("it had but a part")
	}
	check("half of what the first left", "task-001", budget.Bounds{CostUSD: 2.875, Tokens: 219})
	w.release("task-001")
	w.release("task-002")
	w.short, w.last = 2, map[string]bool{"task-003": true}
	check("everybody else waits", "task-003", limits.Task)
	if w.release("task-003") {
		t.Error("it had all that was left")
	}
	w.short, w.going = 0, lanes{"task-001": true}
	check("nobody else is at work", "task-001", limits.Task)
	w.release("task-001")
	limits.Task.CostUSD = 2
	check("its task may use no more than 2 USD", "task-001", limits.Task)
	if r := w.reserved["task-001"]; r.CostUSD != 0.75 {
		t.Errorf("%v USD are kept from others, of which its task may use 0.75", r.CostUSD)
	}
}

// TestNobodyWaitsForALaneThatWaitsForALimit: nothing is set aside for it, and the limit may last for hours.
func TestNobodyWaitsForALaneThatWaitsForALimit(t *testing.T) {
	k, in := wave(t)
	in.Job.Limits = rich()
	limited, spent := map[string]bool{}, ""
	var began, again time.Time
	k.instead = func(_ context.Context, a Act) (*Played, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		now := k.env.Now()
		switch {
		case a.Task == "" || a.Step != machine.StepDispatch || limited[a.Task]:
			return nil, nil
		case a.Task == spent && again.IsZero():
			again = now
		case a.Task != spent && spent == "" && len(limited) == 2:
			spent, began = a.Task, now
			return &Played{Spent: "the part is used up"}, nil
		case a.Task != spent && len(limited) < 2:
			limited[a.Task] = true
			until := now.Add(5 * time.Hour)
			return &Played{Until: &until, Limit: "come back later"}, nil
		}
		return nil, nil
	}
	play(t, k, in)
	if spent == "" || again.IsZero() || again.Sub(began) > time.Hour {
		t.Errorf("%q waited for %v", spent, again.Sub(began))
	}
}
