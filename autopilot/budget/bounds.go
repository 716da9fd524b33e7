package budget

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// Bounds are what may be spent on something. Zero is no limit.
type Bounds struct {
	Dispatches int           `json:"dispatches,omitempty"`
	CostUSD    float64       `json:"costUSD,omitempty"`
	Tokens     int           `json:"tokens,omitempty"` // sent and received
	Duration   time.Duration `json:"duration,omitempty"`
}

// Limits are the bounds of a session, over all its runs, of each of its phases, and of each task.
type Limits struct {
	Session Bounds `json:"session"`
	Phase   Bounds `json:"phase"`
	Task    Bounds `json:"task"`
	Part    bool   `json:"part,omitempty"` // cost and tokens of Task are what a task may use of the others, beside tasks that run elsewhere
}

// Budget is what may be spent, and what was.
type Budget struct {
	Name       string // "200 dispatches", "5.00 USD for task-001"
	Flag       string // that raises it: "--max-cost", "--max-per-task cost=10"
	Raise      string // that flag with its value: "--max-cost 40"
	Used, Most float64
	Done       int // tasks that were completed for what was used; 0: not known

	begins bool // it is used up by beginning a dispatch, and not while one is at work
	timed  bool // it counts seconds: a clock tells when it is used up

	counts func(machine.Usage) float64 // what a call adds, where calls of several tasks do; else nil
	likely float64                     // what calls that are at work will add, as far as that can be guessed
}

// scope is whose budgets they are: how they are named, and which flag raises one.
type scope struct {
	of     string // " for task-001"; "" is the session
	flag   func(what, more string) string
	single bool // a task's: no other one counts towards it
}

// counts is how the calls of several tasks add up, where the scope is not a single task.
func (s scope) counts(add func(machine.Usage) float64) func(machine.Usage) float64 {
	if s.single {
		return nil
	}
	return add
}

func tokens(u machine.Usage) float64 { return float64(u.InputTokens + u.OutputTokens) }

func ownFlag(what, _ string) string { return "--max-" + what }

func sharedFlag(name string) func(what, more string) string {
	return func(what, more string) string { return fmt.Sprintf("--%s %s=%s", name, what, more) }
}

// within lists the budgets of one scope. What raises one names twice what it was, or what was used.
func (b Bounds) within(s machine.Spent, in scope) []Budget {
	raised := func(what, more string, budget Budget) Budget {
		budget.Name += in.of
		budget.Flag = in.flag(what, more)
		if budget.Raise = budget.Flag; in.of == "" {
			budget.Raise += " " + more
		}
		return budget
	}
	return []Budget{
		raised("cost", strconv.FormatFloat(math.Ceil(200*max(b.CostUSD, s.CostUSD))/100, 'f', -1, 64), Budget{
			Name: fmt.Sprintf("%.2f USD", b.CostUSD), Used: s.CostUSD, Most: b.CostUSD, counts: in.counts(func(u machine.Usage) float64 { return u.CostUSD }),
		}),
		raised("tokens", fmt.Sprint(2*max(b.Tokens, s.InputTokens+s.OutputTokens)), Budget{Name: fmt.Sprintf("%d tokens", b.Tokens), Used: tokens(s.Usage), Most: float64(b.Tokens), counts: in.counts(tokens)}),
		raised("dispatches", fmt.Sprint(2*b.Dispatches), Budget{Name: machine.Plural(b.Dispatches, "dispatch", "dispatches"), Used: float64(s.Dispatches), Most: float64(b.Dispatches), begins: true}),
		raised("duration", words.Short(2*b.Duration), Budget{Name: words.Short(b.Duration) + " running time", Used: s.Seconds, Most: b.Duration.Seconds(), timed: true}),
	}
}

// Budgets are those that a dispatch for a task counts towards; "" is one without a task. Tokens are counted as sent and
// received, cached ones too.
func Budgets(s machine.State, set Limits, task string) []Budget {
	all := set.Session.within(machine.Spent{Usage: s.Usage, Seconds: s.Elapsed}, scope{flag: ownFlag})
	done := len(slices.DeleteFunc(slices.Clone(s.Tasks), func(t machine.Task) bool { return t.Status != machine.TaskCompleted }))
	for _, h := range s.History {
		if h.Phase != s.CurrentPhase || s.CurrentState == machine.FinalReview {
			done += h.TasksCompleted
		}
	}
	for i := range all {
		all[i].Done = done
	}
	here := " for the final review"
	if s.CurrentState != machine.FinalReview && s.CurrentPhase >= 0 && s.CurrentPhase < len(s.Phases) {
		here = " for phase " + s.Phases[s.CurrentPhase].Number
	}
	all = append(all, set.Phase.within(s.SpentHere(), scope{here, sharedFlag("max-per-phase"), false})...)
	if task != "" {
		own := set.Task.within(s.SpentOn(task), scope{" for " + task, sharedFlag("max-per-task"), true})
		if set.Part {
			copy(own, set.Task.within(s.SpentOn(task), scope{" for " + task + ", its part beside others,", ownFlag, true})[:2])
		}
		all = append(all, own...)
	}
	return all
}

// BudgetsOf are those of a run over a task file: what it used itself, and what a task did.
func BudgetsOf(set Limits, used machine.Spent, task string, on machine.Spent) []Budget {
	return append(set.Session.within(used, scope{flag: ownFlag}), set.Task.within(on, scope{" for " + task, sharedFlag("max-per-task"), true})...)
}
