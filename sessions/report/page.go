package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the template and its style
	"encoding/base64"
	"html/template"
	"sync"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

//go:embed page.tmpl
var pageText string

//go:embed page.css
var pageStyle string

// pageForm is the template; only a report needs it.
var pageForm = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageText))
})

// policy lets a browser load nothing, and take the page's own style alone.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// Page is the report as one HTML file, which needs no script and loads nothing.
func Page(f Facts) ([]byte, error) {
	s, err := newSheet(f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = pageForm().Execute(&b, s)
	return b.Bytes(), err
}

// sheet is what the template shows.
type sheet struct {
	Policy string
	Style  template.CSS
	view.Session
	Standing, Sign, Class   string
	Zone, Made              string
	Began, Ended            string
	Built, Time             string
	Worked, WorkedRest      string
	Cost, CostBig, CostRest string
	Change                  string
	ChangeRest              string
	CriteriaMet             string
	CriteriaRest            string
	ChecksBig, ChecksRest   string
	NextCommand, NextDoes   string
	Attention               []Group
	CriteriaRows            []criterion
	Chart                   template.HTML
	SpanRows                []spanRow
	PhaseRows               []phaseSheet
	Rest                    []commitRow // commits of the final review
	FinalRuns               []runSheet
	Baseline                []runSheet
	Broke, Fixed            []proofRow // pass to pass, fail to pass
	Ledger                  []entryRow
	DecisionRows            []decisionRow
	Spending                spending
	AuditRows               *auditSheet
	SpecSHA, Start, End     string
}

func newSheet(f Facts) (sheet, error) {
	s := f.Session
	chart, err := timeline.Chart(f.spans(), f.At.Location())
	if err != nil {
		return sheet{}, err
	}
	p := sheet{Policy: policy(), Style: template.CSS(pageStyle), Session: s, Standing: f.standing(), Sign: sign(f.mark()), Class: "so-far", Made: f.clock(f.At)} //nolint:gosec // the style is ours
	if f.Done() {
		p.Class = "done"
	}
	p.Zone, p.Built, p.Time, p.Cost = f.At.Format("MST"), f.built(), f.time(), f.cost()
	p.tiles(f)
	p.NextCommand, p.NextDoes = f.next()
	p.Attention, p.CriteriaRows = f.attention(), f.criteria()
	p.Chart, p.SpanRows = chart, f.spanRows()
	for _, phase := range s.Phases {
		p.PhaseRows = append(p.PhaseRows, f.phaseSheet(phase))
	}
	p.Rest = commitRows(f.commitsOf(0))
	for _, r := range f.runs() {
		switch {
		case r.Baseline:
			p.Baseline = append(p.Baseline, f.runSheet(r))
		case r.Phase == 0:
			p.FinalRuns = append(p.FinalRuns, f.runSheet(r))
		}
	}
	p.Broke, p.Fixed = f.proofs()
	p.Ledger, p.DecisionRows = f.ledger(), f.decisions()
	p.Spending, p.AuditRows = f.spending(), f.audit()
	if f.Record != nil {
		p.SpecSHA, p.Start = f.Record.Spec, words.Commit(f.Record.Start)
	}
	if n := len(s.Commits); n > 0 {
		p.End = words.Commit(s.Commits[n-1].SHA)
	}
	return p, nil
}

// tiles are the numbers at the top.
func (p *sheet) tiles(f Facts) {
	s := f.Session
	p.Worked, p.WorkedRest = words.Seconds(s.Clock.Work), words.Joined(", ", waitedFor(s.Clock.You, "for you"), waitedFor(s.Clock.Limits, "for limits"))
	if p.WorkedRest == "" {
		p.WorkedRest = "no waiting"
	}
	p.CostBig, p.CostRest = "unknown", f.used(s.Usage)
	if s.CostKnown {
		p.CostBig = view.Dollars(s.Usage.CostUSD)
	}
	if p.CostBig == "" {
		p.CostBig = "$0.00"
	}
	c := changed(s.Commits)
	p.Change, p.ChangeRest = lines(c.added, c.removed), count(c.files, "file", "files")+", "+count(c.commits, "commit", "commits")
	met, listed := 0, f.criteria()
	for _, one := range listed {
		if one.Mark == view.Passed {
			met++
		}
	}
	p.CriteriaMet, p.CriteriaRest = view.Grouped(met)+" of "+view.Grouped(len(listed)), "criteria met"
	passed, checks := 0, f.lastChecks()
	for _, c := range checks {
		if machine.Passing([]machine.Check{c}) {
			passed++
		}
	}
	p.ChecksBig, p.ChecksRest = view.Grouped(passed)+" of "+view.Grouped(len(checks)), "checks pass"
	if spans := f.spans(); len(spans) > 0 {
		p.Began, p.Ended = f.clock(spans[0].Start), f.clock(spans[len(spans)-1].End)
	}
}

func waitedFor(n float64, what string) string {
	if n < 1 {
		return ""
	}
	return words.Seconds(n) + " waited " + what
}

// clock writes a time of the reader's day.
func (f Facts) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(f.At.Location()).Format("2 Jan 15:04")
}

// spans are those of the journal, and those that are not over yet.
func (f Facts) spans() []timeline.Span {
	if f.Record == nil {
		return nil
	}
	return f.Record.Until(f.At, f.Session.Running, f.Done())
}

type spanRow struct{ Start, Lane, What, About, Attempt, Ended, Took, Cost, Class string }

func (f Facts) spanRows() (list []spanRow) {
	for _, s := range f.spans() {
		row := spanRow{Start: s.Start.In(f.At.Location()).Format("2 Jan 15:04:05"), Lane: s.Lane, What: words.OneLine(s.What), Ended: s.Ended(), Class: s.Class}
		row.Took, row.Cost = words.Took(s.End.Sub(s.Start).Seconds()), view.Dollars(s.USD)
		switch {
		case s.Task != "":
			row.About = timeline.TaskNumber(s.Phase, s.Task)
		case s.Phase > 0:
			row.About = "phase " + view.Grouped(s.Phase)
		}
		if s.Attempt > 0 && s.Task != "" {
			row.Attempt = view.Grouped(s.Attempt)
		}
		list = append(list, row)
	}
	return list
}
