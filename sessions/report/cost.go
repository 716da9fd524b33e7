package report

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/audit"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

// spending is what was used, by phase and persona, and over time.
type spending struct {
	Personas []string
	Rows     []spendRow
	Total    spendRow
	Curve    string // points of the line over time
	Area     string // the same, closed
	Top      string // what its highest point stands for
	Bars     []tokenBar
	Cached   string // share of the tokens that were sent
	Budgets  []budgetRow
}

type spendRow struct {
	Name       string
	Cells      []string
	Runs       string
	Tokens     string
	Cached     string
	Cost, Work string
}

// tokenBar has the tokens of a phase as widths of 100.
type tokenBar struct {
	Name                     string
	CachedX, FreshX, OutX    float64
	Cached, Fresh, Out       float64
	CachedN, FreshN, OutText string
}

type budgetRow struct{ Name, Used, Of, Share string }

func (f Facts) spending() spending {
	s := f.Session
	sp := spending{Personas: f.personas()}
	most := 1
	for _, p := range s.Phases {
		most = max(most, tokens(p.Spent.Usage))
	}
	rest := s.Usage
	for _, p := range s.Phases {
		rest = rest.Minus(p.Spent.Usage)
		if p.Spent.Dispatches == 0 {
			continue
		}
		name := p.Number + " " + p.Name
		sp.Rows = append(sp.Rows, f.spendRow(name, p.Spent.Usage, p.Spent.Seconds, func(x Spend) bool { return x.Phase == p.Position }))
		sp.Bars = append(sp.Bars, barOf(name, p.Spent.Usage, most))
	}
	if rest.Dispatches > 0 {
		sp.Rows = append(sp.Rows, f.spendRow("final review", rest, 0, func(x Spend) bool { return x.Phase == 0 }))
	}
	sp.Total = f.spendRow("total", s.Usage, s.Clock.Work, func(Spend) bool { return true })
	if s.Usage.InputTokens > 0 {
		sp.Cached = fmt.Sprintf("%d %%", 100*s.Usage.CachedTokens/s.Usage.InputTokens)
	}
	for _, b := range s.Budgets {
		row := budgetRow{Name: b.Name, Used: view.Grouped(int(b.Used)), Of: view.Grouped(int(b.Of))}
		switch {
		case strings.HasSuffix(b.Name, "cost"):
			row.Used, row.Of = view.Dollars(b.Used), view.Dollars(b.Of)
		case strings.HasSuffix(b.Name, "duration"):
			row.Used, row.Of = words.Seconds(b.Used), words.Seconds(b.Of)
		}
		if b.Of > 0 {
			row.Share = fmt.Sprintf("%.0f %%", 100*b.Used/b.Of)
		}
		sp.Budgets = append(sp.Budgets, row)
	}
	sp.curve(f)
	return sp
}

// personas are those that were at work, in the order of the timeline.
func (f Facts) personas() (list []string) {
	for _, x := range f.spends() {
		if !slices.Contains(list, x.Persona) {
			list = append(list, x.Persona)
		}
	}
	return list
}

func (f Facts) spends() []Spend {
	if f.Record == nil {
		return nil
	}
	return f.Record.Spends
}

// amount is a usage in the unit that is known: dollars, else tokens.
func (f Facts) amount(u machine.Usage) string {
	if f.Session.CostKnown {
		return view.Dollars(u.CostUSD)
	}
	if n := tokens(u); n > 0 {
		return view.Grouped(n)
	}
	return ""
}

func (f Facts) spendRow(name string, u machine.Usage, work float64, of func(Spend) bool) spendRow {
	row := spendRow{Name: name, Runs: view.Grouped(u.Dispatches), Cost: view.Dollars(u.CostUSD)}
	if n := tokens(u); n > 0 {
		row.Tokens = view.Grouped(n)
	}
	if u.InputTokens > 0 {
		row.Cached = fmt.Sprintf("%d %%", 100*u.CachedTokens/u.InputTokens)
	}
	if work > 0 {
		row.Work = words.Seconds(work)
	}
	for _, persona := range f.personas() {
		sum := machine.Usage{}
		for _, x := range f.spends() {
			if of(x) && x.Persona == persona {
				sum = sum.Plus(x.Usage)
			}
		}
		row.Cells = append(row.Cells, f.amount(sum))
	}
	return row
}

func barOf(name string, u machine.Usage, most int) tokenBar {
	wide := func(n int) float64 { return timeline.Round(100 * float64(n) / float64(most)) }
	b := tokenBar{Name: name, Cached: wide(u.CachedTokens), Fresh: wide(u.InputTokens - u.CachedTokens), Out: wide(u.OutputTokens)}
	b.FreshX, b.OutX = b.Cached, timeline.Round(b.Cached+b.Fresh)
	b.CachedN, b.FreshN, b.OutText = view.Grouped(u.CachedTokens), view.Grouped(u.InputTokens-u.CachedTokens), view.Grouped(u.OutputTokens)
	return b
}

const curveHeight = 120

// curve is what was spent over time, on the scale of the timeline.
func (sp *spending) curve(f Facts) {
	of := func(u machine.Usage) float64 { return float64(tokens(u)) }
	if f.Session.CostKnown {
		of = func(u machine.Usage) float64 { return u.CostUSD }
	}
	whole, sum := machine.Usage{}, 0.0
	for _, x := range f.spends() {
		whole = whole.Plus(x.Usage)
	}
	if of(whole) <= 0 {
		return
	}
	at := timeline.ScaleOf(f.spans())
	y := func() float64 { return timeline.Round(curveHeight - 4 - sum/of(whole)*(curveHeight-24)) }
	points := []string{fmt.Sprintf("%d,%v", timeline.Left, y())}
	last := float64(timeline.Left)
	for _, x := range f.spends() {
		points = append(points, fmt.Sprintf("%v,%v", at.X(x.At), y()))
		sum += of(x.Usage)
		last = at.X(x.At)
		points = append(points, fmt.Sprintf("%v,%v", last, y()))
	}
	sp.Curve, sp.Top = strings.Join(points, " "), f.amount(whole)
	sp.Area = fmt.Sprintf("%s %v,%d %d,%d", sp.Curve, last, curveHeight-4, timeline.Left, curveHeight-4)
	if !f.Session.CostKnown {
		sp.Top += " tokens"
	}
}

// auditSheet is what a look at all records gave.
type auditSheet struct {
	Events, Outputs, Replies string
	Groups                   []auditRow
	Problems                 []audit.Problem
	Said                     []string
}

type auditRow struct{ Kind, Proven, Marked, Unproven string }

func (f Facts) audit() *auditSheet {
	if f.Audit == nil {
		return nil
	}
	a := &auditSheet{Events: view.Grouped(int(f.Audit.Events)), Outputs: view.Grouped(f.Audit.Outputs), Replies: view.Grouped(f.Audit.Replies), Said: f.Audit.Said}
	for _, part := range []string{audit.PartState, audit.PartOutputs, audit.PartAttempts, audit.PartRecords} {
		a.Problems = append(a.Problems, f.Audit.Problems[part]...)
	}
	var kinds []audit.ClaimKind
	n := map[audit.ClaimKind]map[audit.Standing]int{}
	for _, c := range f.Audit.Claims {
		if n[c.Kind] == nil {
			kinds, n[c.Kind] = append(kinds, c.Kind), map[audit.Standing]int{}
		}
		n[c.Kind][c.Standing]++
		switch c.Standing {
		case audit.Unproven:
			a.Problems = append(a.Problems, audit.Problem{Where: fmt.Sprintf("events.jsonl, revision %d", c.Rev), What: c.What + ": " + c.Why, Means: "the session reports a result that its records don't support"})
		case audit.Marked:
			a.Said = append(a.Said, strings.TrimPrefix(c.Task+" ", " ")+c.What+": "+c.Why)
		}
	}
	for _, kind := range kinds {
		a.Groups = append(a.Groups, auditRow{string(kind), view.Grouped(n[kind][audit.Proven]), view.Grouped(n[kind][audit.Marked]), view.Grouped(n[kind][audit.Unproven])})
	}
	return a
}
