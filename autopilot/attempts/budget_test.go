package attempts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/machine/transition"
	"autopilot/personas"
)

// ledger is a session in memory, with a clock that its owner moves.
type ledger struct {
	state machine.State
	now   time.Time
	notes []journal.Note
}

func (l *ledger) State() machine.State { return l.state }

func (l *ledger) Apply(e machine.Event) (machine.State, error) {
	e.Rev, e.Time = l.state.Revision+1, l.now
	next, err := transition.Apply(l.state, e)
	if err == nil {
		l.state = next
	}
	return next, err
}

func (l *ledger) Report(n journal.Note) { l.notes = append(l.notes, n) }

func (l *ledger) engine(set budget.Limits) Attempts {
	return Attempts{Journal: journal.New(l, nil, l, nil, func() time.Time { return l.now }), Now: func() time.Time { return l.now }, Settings: Settings{Limits: set}}
}

// withATask is a session whose first task is about to be dispatched.
func withATask(t interface{ Fatal(...any) }) *ledger {
	l := &ledger{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	begun := machine.State{
		SessionID: "s", CurrentState: machine.Execute, Step: machine.StepPick, RigorLevel: machine.Fast,
		Phases: []machine.Phase{{Number: "1", Name: "Greet", Status: machine.PhaseInProgress}},
		Tasks:  []machine.Task{{ID: "task-001", Kind: machine.KindPlan, Status: machine.TaskPending}},
	}
	for _, e := range []machine.Event{{Type: machine.Created, Initial: &begun}, {Type: machine.TaskStarted, Task: "task-001", Base: "c"}} {
		if _, err := l.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// call is a call of a model: what it used, and how long it took.
type call struct {
	personas.Usage
	took time.Duration
}

// someCall draws a call whose price is known, unknown, or absurd.
func someCall(t *rapid.T) call {
	var c call
	c.InputTokens = rapid.SampledFrom([]int{0, 1, 999, 20_000, 1 << 40}).Draw(t, "in")
	c.CachedTokens = rapid.SampledFrom([]int{0, c.InputTokens / 2, c.InputTokens}).Draw(t, "cached")
	c.OutputTokens = rapid.IntRange(0, 5000).Draw(t, "out")
	price := rapid.SampledFrom([]float64{0, 0, 1e-6, 3e-6, 1e3}).Draw(t, "price")
	c.CostUSD = price * (float64(c.InputTokens-c.CachedTokens) + float64(c.CachedTokens)/10 + 5*float64(c.OutputTokens))
	c.took = time.Duration(rapid.IntRange(0, 5000).Draw(t, "seconds")) * time.Second
	return c
}

func someBounds(t *rapid.T, whose string) budget.Bounds {
	return budget.Bounds{
		Dispatches: rapid.IntRange(0, 6).Draw(t, whose+" dispatches"),
		CostUSD:    rapid.SampledFrom([]float64{0, 1e-9, 0.01, 0.3, 20}).Draw(t, whose+" cost"),
		Tokens:     rapid.SampledFrom([]int{0, 1, 1000, 50_000, 1 << 41}).Draw(t, whose+" tokens"),
		Duration:   time.Duration(rapid.SampledFrom([]int{0, 1, 600, 20_000}).Draw(t, whose+" seconds")) * time.Second,
	}
}

// TestBudgetsAreOvershotByOneCallAtMost plays any calls against any budgets of session, phase and task: none is made once
// a budget is used up, each budget is warned of exactly once from 80 % on, and higher ones let the same attempt go on.
func TestBudgetsAreOvershotByOneCallAtMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := withATask(t)
		set := budget.Limits{Session: someBounds(t, "session"), Phase: someBounds(t, "phase"), Task: someBounds(t, "task")}
		calls := rapid.SliceOfN(rapid.Custom(someCall), 1, 25).Draw(t, "calls")
		for len(calls) > 0 {
			before := len(calls)
			calls = l.spendAll(t, set, calls)
			if len(calls) > 0 && len(calls) == before {
				t.Fatalf("nothing was called with %+v at %+v", set, budget.Budgets(l.state, set, "task-001"))
			}
			set = l.raised(set)
		}
		if task := l.state.Tasks[0]; len(task.Attempts) > 0 || task.Dispatches > 0 {
			t.Fatalf("a budget spent an attempt: %+v", task)
		}
	})
}

// spendAll is one run: dispatch after dispatch, until a budget is used up; it returns the calls that are left.
func (l *ledger) spendAll(t *rapid.T, set budget.Limits, calls []call) []call {
	e := l.engine(set)
	l.notes = nil
	budgets := func() []budget.Budget { return budget.Budgets(l.state, set, "task-001") }
	var limit *budget.LimitError
	for len(calls) > 0 {
		err := e.WithinBudget(l.state, "task-001")
		if spent := slices.ContainsFunc(budgets(), func(b budget.Budget) bool { return reached(b, 1) }); spent != errors.As(err, &limit) {
			t.Fatalf("a dispatch with %+v: %v", budgets(), err)
		}
		if err != nil {
			break
		}
		calls = l.flight(t, e, budgets, calls)
	}
	for _, b := range budgets() {
		told := 0
		for _, n := range l.notes {
			if strings.Contains(n.Text, " of the budget of "+b.Name+" is used") {
				told++
			}
		}
		if near := reached(b, 0.8); near && told != 1 || !near && told != 0 {
			t.Fatalf("%d warnings of %+v: %+v", told, b, l.notes)
		}
	}
	return calls
}

// reached says whether a part of a budget is used.
func reached(b budget.Budget, part float64) bool { return b.Most > 0 && b.Used >= part*b.Most*(1-1e-9) }

// flight is a dispatch that makes some calls, as long as it is let.
func (l *ledger) flight(t *rapid.T, e Attempts, budgets func() []budget.Budget, calls []call) []call {
	apply := func(ev machine.Event) {
		if err := e.Journal.Store.(*ledger).mustApply(ev); err != nil {
			t.Fatal(err)
		}
	}
	apply(machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-001", Attempt: 1}})
	var d personas.Dispatch
	limited, end := e.LimitSpending(context.Background(), &d, budgets, machine.Event{Task: "task-001"})
	defer end()
	for range rapid.IntRange(1, 6).Draw(t, "calls of the dispatch") {
		if limited.Err() != nil || len(calls) == 0 {
			break
		}
		if i := slices.IndexFunc(budgets(), func(b budget.Budget) bool { return !strings.Contains(b.Name, "dispatch") && reached(b, 1) }); i >= 0 {
			t.Fatalf("a call is made beyond %+v", budgets()[i])
		}
		l.now = l.now.Add(calls[0].took)
		d.OnUsage(calls[0].Usage)
		calls = calls[1:]
	}
	apply(machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d", Outcome: machine.OutcomeLimited}})
	return calls
}

func (l *ledger) mustApply(e machine.Event) error { _, err := l.Apply(e); return err }

// raised are limits beyond what was used.
func (l *ledger) raised(set budget.Limits) budget.Limits {
	above := func(b budget.Bounds, s machine.Spent) budget.Bounds {
		for b.Dispatches > 0 && b.Dispatches <= s.Dispatches {
			b.Dispatches *= 2
		}
		for reached(budget.Budget{Used: s.CostUSD, Most: b.CostUSD}, 1) {
			b.CostUSD *= 4
		}
		for b.Tokens > 0 && b.Tokens <= s.InputTokens+s.OutputTokens {
			b.Tokens *= 4
		}
		for reached(budget.Budget{Used: s.Seconds, Most: b.Duration.Seconds()}, 1) {
			b.Duration *= 2
		}
		return b
	}
	return budget.Limits{
		Session: above(set.Session, machine.Spent{Usage: l.state.Usage, Seconds: l.state.Elapsed}),
		Phase:   above(set.Phase, l.state.SpentHere()), Task: above(set.Task, l.state.SpentOn("task-001")),
	}
}

func TestDispatchThatTellsNothingEndsWhenItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := withATask(t)
		set := budget.Limits{Session: budget.Bounds{Duration: time.Hour}, Task: budget.Bounds{Duration: 20 * time.Minute}}
		var d personas.Dispatch
		limited, end := l.engine(set).LimitSpending(t.Context(), &d, func() []budget.Budget { return budget.Budgets(l.state, set, "task-001") }, machine.Event{})
		defer end()
		var over atomic.Bool
		stop := context.AfterFunc(limited, func() { over.Store(true) })
		defer stop()
		time.Sleep(20*time.Minute - time.Second)
		synctest.Wait()
		if over.Load() {
			t.Error("it ended early")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if limit := budget.Overspent(limited); limit == nil || limit.What != "the budget of 20m running time for task-001 is used up; --max-per-task duration=40m raises it" {
			t.Errorf("it ended with %v", limit)
		}
	})
}

func TestTimeOfACutOffDispatchIsCountedAsFarAsItIsKnown(t *testing.T) {
	l := withATask(t)
	step := func(wait time.Duration, e machine.Event) {
		l.now = l.now.Add(wait)
		if err := l.mustApply(e); err != nil {
			t.Fatal(err)
		}
	}
	step(0, machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "d", Persona: "executor", Task: "task-001", Attempt: 1}})
	step(time.Minute, machine.Event{Type: machine.Used, Task: "task-001", Usage: &machine.Usage{InputTokens: 5}})
	if got := l.state.SpentOn("task-001"); got.Seconds != 60 || got.Dispatches != 1 || got.InputTokens != 5 {
		t.Errorf("in flight: %+v", got)
	}
	step(10*time.Hour, machine.Event{Type: machine.RunStarted}) // nobody was running
	step(time.Second, machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "d", Outcome: machine.OutcomeInterrupted}})
	if got := l.state.SpentOn("task-001"); got.Seconds != 60 {
		t.Errorf("after the kill: %+v", got)
	}
	if got := l.state.SpentHere(); got.Seconds != 61 || got.Dispatches != 1 {
		t.Errorf("the phase: %+v", got)
	}
	step(0, machine.Event{Type: machine.Dispatched, Dispatch: &machine.Dispatch{ID: "e", Persona: "executor", Task: "task-001", Attempt: 1}})
	step(time.Minute, machine.Event{Type: machine.DispatchEnded, Ended: &machine.Ended{ID: "e", Outcome: machine.OutcomeReply, Reply: &machine.Reply{Status: "done"}}})
	step(time.Minute, machine.Event{Type: machine.Validated, Task: "task-001", Checks: []machine.Check{{Command: "c", Outcome: machine.CheckPassed, Seconds: 7}}})
	if got := l.state.SpentOn("task-001"); got.Seconds != 127 {
		t.Errorf("with its check: %+v", got)
	}
}
