package report

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

// phaseSheet is a phase on the page.
type phaseSheet struct {
	view.Phase
	Sign, Standing, Class string
	Line                  string
	PlanText              string
	PlanReads             []planRow
	TaskRows              []taskSheet
	CommitRows            []commitRow
	Runs                  []runSheet
	Change                string
}

type planRow struct{ At, SHA string }

func (f Facts) phaseSheet(p view.Phase) phaseSheet {
	row := phaseSheet{Phase: p, Sign: "·", Standing: strings.ReplaceAll(p.Status, "-", " "), Class: "pending", PlanText: f.Plans[p.PlanPath], CommitRows: commitRows(f.commitsOf(p.Position))}
	switch p.Outcome {
	case "complete":
		row.Sign, row.Class, row.Standing = "✓", "passed", "complete"
	case "failed":
		row.Sign, row.Class, row.Standing = "✗", "failed", "counts as failed"
	case "skipped":
		row.Sign, row.Class, row.Standing = "-", "skipped", "skipped"
	}
	row.Change = changed(f.commitsOf(p.Position)).String()
	verified := ""
	if p.Outcome != "" {
		verified = map[bool]string{true: "verified", false: "not verified"}[p.Verified != nil && *p.Verified]
	}
	row.Line = words.Joined(dot, string(p.Complexity)+" complexity", verified, count(len(p.Tasks), "task", "tasks"), count(p.Retries, "retry", "retries"),
		words.Seconds(p.Spent.Seconds)+" work", view.Dollars(p.Spent.CostUSD), f.used(p.Spent.Usage))
	for _, read := range f.plansOf(p.Position) {
		row.PlanReads = append(row.PlanReads, planRow{f.clock(read.At), read.SHA256})
	}
	for _, t := range p.Tasks {
		row.TaskRows = append(row.TaskRows, f.taskSheet(p, t))
	}
	for _, r := range f.runs() {
		if r.Phase == p.Position && r.Task == "" && !r.Baseline {
			row.Runs = append(row.Runs, f.runSheet(r))
		}
	}
	return row
}

func (f Facts) plansOf(phase int) (list []PlanRead) {
	if f.Record == nil {
		return nil
	}
	for _, read := range f.Record.Plans {
		if read.Phase == phase && (len(list) == 0 || list[len(list)-1].SHA256 != read.SHA256) {
			list = append(list, read)
		}
	}
	return list
}

// taskSheet is a task on the page.
type taskSheet struct {
	view.Task
	Number, Sign, Diff string
	Took, Cost         string
	After              string
	AttemptRows        []attemptSheet
}

// attemptSheet is an attempt on the page.
type attemptSheet struct {
	view.Attempt
	Sign, Took, Cost, At string
	Folder               string // of its prompt, reply and output
	Runs                 []runSheet
}

func (f Facts) taskSheet(p view.Phase, t view.Task) taskSheet {
	row := taskSheet{Task: t, Number: fmt.Sprintf("%d.%d", p.Position, t.N), Sign: sign(t.Mark), Diff: f.taskDiff(t), Took: words.Seconds(t.Seconds), Cost: view.Dollars(t.USD)}
	if t.Mark == view.Pending || t.Mark == view.Active {
		row.Sign = "·"
	}
	after := make([]string, len(t.After))
	for i, n := range t.After {
		after[i] = fmt.Sprintf("%d.%d", p.Position, n)
	}
	row.After = strings.Join(after, ", ")
	for _, a := range t.Attempts {
		one := attemptSheet{Attempt: a, Sign: sign(a.Mark), Cost: view.Dollars(a.USD), At: f.clock(a.Start), Folder: fmt.Sprintf("attempts/%d/%s/%d", p.Position, t.ID, a.N)}
		if !a.Start.IsZero() && a.End.After(a.Start) {
			one.Took = words.Took(a.End.Sub(a.Start).Seconds())
		}
		for _, r := range f.runs() {
			if r.Phase == p.Position && r.Task == t.ID && r.Attempt == a.N {
				one.Runs = append(one.Runs, f.runSheet(r))
			}
		}
		row.AttemptRows = append(row.AttemptRows, one)
	}
	return row
}

// runSheet is a time that commands ran.
type runSheet struct {
	At, Commit   string
	Rows         []checkRow
	Output, File string
	SHA          string
	Bytes        string
}

type checkRow struct{ Sign, Class, Command, Outcome, Exit, Took, Tests, Failed string }

func (f Facts) runSheet(r Run) runSheet {
	row := runSheet{At: f.clock(r.At), Commit: words.Commit(r.Evidence.Commit), File: r.Evidence.Output, SHA: r.Evidence.OutputSHA256, Output: f.Outputs[r.Evidence.Output]}
	if r.Evidence.OutputBytes > 0 {
		row.Bytes = view.Grouped(int(r.Evidence.OutputBytes)) + " bytes"
	}
	for _, c := range r.Checks {
		one := checkRow{Sign: "✗", Class: "failed", Command: words.OneLine(c.Name()), Outcome: strings.ReplaceAll(c.Outcome, "_", " "), Exit: fmt.Sprint(c.ExitCode), Took: words.Took(c.Seconds), Tests: tests(c, f.before(c))}
		if machine.Passing([]machine.Check{c}) {
			one.Sign, one.Class = "✓", "passed"
		}
		one.Failed = strings.Join(c.FailedTests, ", ")
		row.Rows = append(row.Rows, one)
	}
	return row
}

type commitRow struct{ SHA, Subject, Files, Lines string }

func commitRows(commits []view.Commit) (list []commitRow) {
	for _, c := range commits {
		list = append(list, commitRow{words.Commit(c.SHA), subject(c), view.Grouped(c.Files), lines(c.Added, c.Removed)})
	}
	return list
}

type proofRow struct{ Sign, Class, About, Command, Before, After, Tests string }

// proofs are what passed before and has to pass still, and what failed before and passes now.
func (f Facts) proofs() (kept, fixed []proofRow) {
	if f.Record == nil {
		return nil, nil
	}
	for _, p := range f.Record.Proofs {
		row := proofRow{"!", "unknown", fmt.Sprintf("phase %d", p.Phase), words.OneLine(p.Command), p.Before, p.After, words.OneLine(p.Tests)}
		if p.Task != "" {
			row.About = timeline.TaskNumber(p.Phase, p.Task)
		}
		if p.Holds {
			row.Sign, row.Class = "✓", "passed"
		}
		if p.Fixed {
			fixed = append(fixed, row)
		} else {
			kept = append(kept, row)
		}
	}
	return kept, fixed
}

type entryRow struct {
	machine.Entry
	Where, Raised, Became, Class string
}

// ledger is the register of findings, open ones first.
func (f Facts) ledger() (list []entryRow) {
	for _, e := range f.Session.Findings {
		list = append(list, entryRow{e, placeOf(e.Finding), words.Joined(", ", e.Source, f.clock(e.RaisedAt)), became(e), string(e.Fate)})
	}
	slices.SortStableFunc(list, func(a, b entryRow) int { return fateOrder(a.Fate) - fateOrder(b.Fate) })
	return list
}

func fateOrder(fate machine.Fate) int {
	return slices.Index([]machine.Fate{machine.FateOpen, machine.FateWaived, machine.FateDismissed, machine.FateFixed, machine.FateGone}, fate)
}

type decisionRow struct{ At, Where, Decision, Reason, By, Waited string }

func (f Facts) decisions() (list []decisionRow) {
	for _, d := range f.Session.Decisions {
		list = append(list, decisionRow{f.clock(d.Timestamp), f.phaseName(d.Phase), words.OneLine(d.Words), words.OneLine(d.Reason), person(d.By), f.waited(d)})
	}
	return list
}

// waited is how long the question of a decision was open.
func (f Facts) waited(d view.Decision) string {
	if f.Record == nil {
		return ""
	}
	for _, s := range f.Record.Spans {
		if s.Lane == "You" && s.End.Equal(d.Timestamp) {
			return words.Seconds(s.End.Sub(s.Start).Seconds())
		}
	}
	return ""
}
