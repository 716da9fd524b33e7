package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// head is what a report is about: Done · Rate limits per API key · branch autopilot/limits.
func (f Facts) head() string {
	s := f.Session
	where := ""
	if s.Branch != "" {
		where = "branch " + s.Branch
	}
	return words.Joined(dot, f.standing(), words.OneLine(cmp.Or(s.Title, s.Spec)), where)
}

func (f Facts) standing() string {
	if f.Done() {
		return "Done"
	}
	return "So far"
}

// mark is that of the session.
func (f Facts) mark() view.Mark {
	switch {
	case f.Done():
		return view.Passed
	case f.Session.Gate != nil:
		return view.Asking
	}
	return view.Active
}

// built is how much was done.
func (f Facts) built() string {
	over := 0
	for _, p := range f.Session.Phases {
		if p.Over() {
			over++
		}
	}
	phases := count(over, "phase", "phases")
	if n := len(f.Session.Phases); over < n {
		phases = fmt.Sprintf("%d of %s", over, count(n, "phase", "phases"))
	}
	completed, _ := f.tasks()
	return phases + ", " + count(completed, "task", "tasks") + ", " + changed(f.Session.Commits).String()
}

// time says where the time went.
func (f Facts) time() string {
	c := f.Session.Clock
	parts := []string{words.Seconds(c.Work) + " work"}
	if c.You >= 1 {
		parts = append(parts, words.Seconds(c.You)+" waited for you")
	}
	if c.Limits >= 1 {
		parts = append(parts, words.Seconds(c.Limits)+" usage limit")
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return words.Seconds(c.Wall) + ": " + strings.Join(parts, ", ")
}

// cost is what was spent.
func (f Facts) cost() string {
	s := f.Session
	cost := "cost unknown"
	if s.CostKnown {
		cost = cmp.Or(view.Dollars(s.Usage.CostUSD), "$0.00")
	}
	for _, b := range s.Budgets {
		if b.Name == "cost" && s.CostKnown {
			cost += " of " + strings.TrimSuffix(view.Dollars(b.Of), ".00")
		}
	}
	return cost + dot + f.used(s.Usage)
}

// used are agent runs and tokens.
func (f Facts) used(u machine.Usage) string {
	text := count(u.Dispatches, "agent run", "agent runs")
	if n := tokens(u); n > 0 {
		return text + ", " + view.Grouped(n) + " tokens"
	}
	if u.Dispatches > 0 {
		text += ", tokens unknown"
	}
	return text
}

// criterion is a criterion with how it stands, in words.
type criterion struct {
	view.Criterion
	Sign     string
	Verdict  string
	Evidence string
}

// criteria are those of the spec.
func (f Facts) criteria() (list []criterion) {
	for _, c := range f.Session.Criteria {
		row := criterion{Criterion: c, Sign: sign(c.Mark), Verdict: "not judged", Evidence: c.Evidence}
		switch {
		case c.Mark == view.Passed && c.By == "reviewer" && !f.knows(c.Evidence):
			row.Sign, row.Verdict = "!", "met, by review only"
			row.Evidence = cmp.Or(c.Evidence, "no test named")
		case c.Mark == view.Passed:
			row.Verdict = "met"
		case c.Mark == view.Broken:
			row.Verdict = "not met"
		}
		list = append(list, row)
	}
	return list
}

// knows says whether a reviewer's evidence names something that was made or run: a file of a commit, a command of a check.
func (f Facts) knows(evidence string) bool {
	for _, c := range f.Session.Commits {
		for _, p := range c.Paths {
			if strings.Contains(evidence, path.Base(p)) {
				return true
			}
		}
	}
	for _, p := range f.Session.Phases {
		for _, c := range p.Checks {
			if strings.Contains(evidence, c.Command) {
				return true
			}
		}
	}
	return false
}

// lastChecks are those that speak for the whole: of the last phase that was checked.
func (f Facts) lastChecks() []machine.Check {
	for _, p := range slices.Backward(f.Session.Phases) {
		if len(p.Checks) > 0 {
			return p.Checks
		}
	}
	return nil
}

// checkLine is a check in a line: ✓ go test ./... (226 tests, 12 new).
func (f Facts) checkLine(c machine.Check) string {
	mark := "✗"
	if machine.Passing([]machine.Check{c}) {
		mark = "✓"
	}
	text := mark + " " + words.OneLine(c.Name())
	if n := tests(c, f.before(c)); n != "" {
		text += " (" + n + ")"
	}
	return text
}

// before is a check as it was before anything changed.
func (f Facts) before(c machine.Check) (was machine.Check) {
	for _, r := range f.runs() {
		for _, old := range r.Checks {
			if r.Baseline && old.Command == c.Command && old.Dir == c.Dir {
				was = old
			}
		}
	}
	return was
}

func (f Facts) runs() []Run {
	if f.Record == nil {
		return nil
	}
	return f.Record.Runs
}

// next is what to type, and what it does.
func (f Facts) next() (command, does string) {
	s := f.Session
	switch {
	case f.Done() && f.CanPR:
		return "autopilot " + shell.QuotePath(s.Spec) + " --pr", "push and open a pull request"
	case f.Done() && s.Standing != view.Finished: // its summary is being written
		return "autopilot diff " + shell.QuotePath(s.Spec), ""
	}
	return s.Next, ""
}
