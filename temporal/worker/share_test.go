package worker

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"autopilot/autopilot/budget"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/config"
)

// TestLanesOvershootABudgetByOneCallEach draws what is left of the budgets of a session, its phase and its tasks, and lanes whose calls
// cost anything. The lanes begin together, and none learns what the others spend: the part of each has to keep the sum.
func TestLanesOvershootABudgetByOneCallEach(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawModel(rt)
		m.together(rt)
		m.keeps(rt, 1)
	})
}

// TestLanesThatBeginOneByOneOvershootABudgetByWhatIsNotRecorded: a part does not know what others may still spend of theirs. The bound is
// that each lane learns what all spent whenever it records what its own calls cost.
func TestLanesThatBeginOneByOneOvershootABudgetByWhatIsNotRecorded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawModel(rt)
		every := rapid.IntRange(1, 4).Draw(rt, "calls between records")
		m.oneByOne(rt, every)
		m.keeps(rt, every)
	})
}

// model is a session whose lanes call models.
type model struct {
	limits  config.Limits
	known   machine.State // as the workflow has it
	earlier machine.Usage // in other phases
	paid    machine.Usage // in all
	dearest machine.Usage // of a call
	lanes   []*lane
}

// lane is at work on a task, in one act after the other.
type lane struct {
	task   string
	limits config.Limits // its part
	sees   machine.State // as its worker has it
	owed   machine.Usage // that the workflow does not know yet
	calls  int           // of them
	spent  bool          // its part is used up
	among  int           // when its act began; 0: none is at work
}

func drawModel(t *rapid.T) *model {
	m := &model{dearest: machine.Usage{InputTokens: rapid.IntRange(1, 20).Draw(t, "tokens of the dearest call"), CostUSD: rapid.Float64Range(0.01, 1).Draw(t, "its cost")}}
	many := rapid.SampledFrom([]int{1, 100}).Draw(t, "times") // with few tokens left, there is not one for each lane
	bound := func(of string) (int, float64) {
		return many * rapid.IntRange(1, 10).Draw(t, "tokens of "+of), float64(many) * rapid.Float64Range(0.1, 1).Draw(t, "cost of "+of)
	}
	m.limits.MaxTokens, m.limits.MaxCostUSD = bound("the session")
	m.limits.Phase.MaxTokens, m.limits.Phase.MaxCostUSD = bound("the phase")
	m.limits.Task.MaxTokens, m.limits.Task.MaxCostUSD = bound("a task")
	m.known = machine.State{CurrentState: machine.Execute, Phases: []machine.Phase{{Number: "1"}}}
	for i := range rapid.IntRange(2, 8).Draw(t, "lanes") {
		m.lanes = append(m.lanes, &lane{task: machine.TaskID(i + 1)})
		m.known.Tasks = append(m.known.Tasks, machine.Task{ID: machine.TaskID(i + 1)})
	}
	m.earlier = machine.Usage{InputTokens: rapid.IntRange(0, m.limits.MaxTokens/2).Draw(t, "tokens before"), CostUSD: rapid.Float64Range(0, m.limits.MaxCostUSD/2).Draw(t, "cost before")}
	m.known.Usage, m.paid = m.earlier, m.earlier
	return m
}

// together has all lanes do one act, until each used up its part.
func (m *model) together(t *rapid.T) {
	for _, l := range m.lanes {
		m.begin(l, len(m.lanes))
	}
	for slices.ContainsFunc(m.lanes, func(l *lane) bool { return l.among > 0 }) {
		if l := m.lanes[rapid.IntRange(0, len(m.lanes)-1).Draw(t, "lane")]; l.among > 0 {
			m.call(t, l)
			l.stopIfSpent()
		}
	}
}

// oneByOne has lanes do act after act, as the workflow lets them. Who used up its part waits until it would be the only one.
func (m *model) oneByOne(t *rapid.T, every int) {
	for range 400 {
		l := m.lanes[rapid.IntRange(0, len(m.lanes)-1).Draw(t, "lane")]
		waiting := 0
		for _, other := range m.lanes {
			if other.spent {
				waiting++
			}
		}
		switch {
		case l.spent && waiting < len(m.lanes):
		case l.among == 0:
			alone := l.spent
			l.spent = false
			if m.begin(l, max(1, len(m.lanes)-waiting)); alone && l.among == 0 {
				return // nobody is left who could give something back
			}
		default:
			if m.call(t, l); l.calls >= every {
				m.record(l)
			}
			if l.stopIfSpent(); l.among == 0 || rapid.IntRange(0, 9).Draw(t, "the act ends at 0") == 0 {
				m.record(l)
				l.among = 0
			}
		}
	}
}

// begin begins an act of a lane, unless its part is used up.
func (m *model) begin(l *lane, among int) {
	l.sees, l.among = clone(m.known), among
	l.limits = share(m.limits, l.sees, l.task, among)
	l.stopIfSpent()
}

// stopIfSpent ends the act where a budget is used up, as far as its worker knows.
func (l *lane) stopIfSpent() {
	if budget.Spent(budget.Budgets(l.sees, app.BudgetLimits(l.limits), l.task)) != nil {
		l.among, l.spent = 0, true
	}
}

// call is one call of a model.
func (m *model) call(t *rapid.T, l *lane) {
	u := machine.Usage{InputTokens: rapid.IntRange(1, m.dearest.InputTokens).Draw(t, "tokens"), CostUSD: m.dearest.CostUSD * rapid.Float64Range(0.1, 1).Draw(t, "cost")}
	m.paid, l.owed, l.calls = m.paid.Plus(u), l.owed.Plus(u), l.calls+1
	count(&l.sees, l.task, u)
}

// record tells the workflow what calls cost, and the worker what the others' did.
func (m *model) record(l *lane) {
	count(&m.known, l.task, l.owed)
	l.sees, l.owed, l.calls = clone(m.known), machine.Usage{}, 0
}

// keeps compares what was paid with the budgets: each lane may overshoot them by so many calls.
func (m *model) keeps(t *rapid.T, calls int) {
	most := float64(len(m.lanes) * calls)
	for _, c := range []struct {
		of     string
		used   machine.Usage
		tokens int
		cost   float64
	}{
		{"the session", m.paid, m.limits.MaxTokens, m.limits.MaxCostUSD},
		{"the phase", m.paid.Minus(m.earlier), m.limits.Phase.MaxTokens, m.limits.Phase.MaxCostUSD},
	} {
		if over := c.used.InputTokens - c.tokens; over > int(most)*m.dearest.InputTokens {
			t.Fatalf("%d lanes used %d tokens of %d for %s, and a call %d at most", len(m.lanes), c.used.InputTokens, c.tokens, c.of, m.dearest.InputTokens)
		}
		if over := c.used.CostUSD - c.cost; over > most*m.dearest.CostUSD+1e-6 {
			t.Fatalf("%d lanes used %v USD of %v for %s, and a call %v at most", len(m.lanes), c.used.CostUSD, c.cost, c.of, m.dearest.CostUSD)
		}
	}
}

func clone(s machine.State) machine.State {
	s.Phases, s.Tasks = slices.Clone(s.Phases), slices.Clone(s.Tasks)
	return s
}

// count counts what calls of a task cost.
func count(s *machine.State, task string, u machine.Usage) {
	s.Usage, s.Phases[0].Spent.Usage = s.Usage.Plus(u), s.Phases[0].Spent.Usage.Plus(u)
	t := machine.FindTask(s.Tasks, task)
	t.Spent.Usage = t.Spent.Usage.Plus(u)
}
