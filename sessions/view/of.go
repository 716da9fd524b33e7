package view

import (
	"strings"
	"time"

	"autopilot/autopilot/machine"
)

// Of makes the view of a session. What the facts leave out it leaves out, too.
func Of(f Facts) Session {
	s := f.State
	works, limit, phases := worksOf(f), limitNow(f), phasesOf(f)
	var tasks []Task
	if at := positionOf(s); at > 0 && at <= len(phases) {
		tasks = phases[at-1].Tasks
	} else {
		tasks = f.tasksOf(0)
	}
	gate := gateOf(s, tasks)
	st := standOf(f, works, gate, limit)
	v := Session{
		ID: s.SessionID, Slug: s.SessionSlug, Spec: s.SpecPath, Title: s.Spec.Title, Branch: s.Branch, Rigor: s.RigorLevel,
		Standing: st.standing, Headline: st.headline, Since: st.since, Next: st.next, Because: append([]string{}, st.because...), Resume: st.resume,
		Running: f.Held, LastActive: s.UpdatedAt, Footing: f.Footing,

		Revision: s.Revision, State: s.CurrentState, Step: s.Step, Phase: s.CurrentPhase + 1, Phases: phases, Tasks: append([]machine.Task{}, s.Tasks...),
		Parallel: max(1, s.Parallel), Waves: append([][]string{}, machine.Waves(s)...), FinalReview: s.FinalReviewShown(), FinalTasks: f.tasksOf(0),

		Works: works, Gate: gate, Limit: limit, Clock: f.clock(),
		Usage: s.Usage, CostKnown: s.Usage.CostUSD > 0, Budgets: f.Budgets,
		Metrics: machine.ShowMetrics(s), TaskMetrics: append([]machine.TaskMetrics{}, f.Tasks...), Targets: machine.Target, Flakes: flakesOf(s),

		Findings: append(machine.Register{}, s.Register...), Criteria: criteriaOf(s), Decisions: f.decisions(),
		Commits: f.commits(), Assumptions: append([]string{}, s.Assumed()...), StackedOn: f.StackedOn, Base: f.Base,
	}
	if forecast, ok := s.Forecast(); ok {
		v.Forecast = &forecast
	}
	if f.Past != nil {
		v.LastRun = f.Past.lastRun
	}
	v.ExitCode, v.Limited = exitCode(f, limit), limitedWords(s)
	v.Waits = limit != nil && limit.Waits
	return v
}

// exitCode is the one that a run would end with now.
func exitCode(f Facts, limit *Limit) int {
	switch {
	case f.State.Gate != nil:
		return 3
	case limit != nil && !limit.Waits:
		return 5
	}
	return 0
}

// limitedWords name the limit that the last dispatch met, with its end; "" is none.
func limitedWords(s machine.State) string {
	if s.LimitedUntil == nil && !s.QuotaUsedUp {
		return ""
	}
	text := limitText(s)
	if s.LimitedUntil != nil {
		text += ", until " + s.LimitedUntil.Format(time.RFC3339)
	}
	return text
}

// running is for how many seconds a run is at work since the last event.
func (f Facts) running() float64 {
	if s := f.State; f.Held && s.Gate == nil && s.LimitedUntil == nil && f.At.After(s.UpdatedAt) {
		return f.At.Sub(s.UpdatedAt).Seconds()
	}
	return 0
}

// clock says where the time went.
func (f Facts) clock() Clock {
	s, c := f.State, Clock{Work: f.State.Elapsed + f.running()}
	if s.Gate != nil && f.At.After(s.Gate.AskedAt) {
		c.You = f.At.Sub(s.Gate.AskedAt).Seconds()
	}
	if f.Past == nil {
		return c
	}
	c.You, c.Limits = c.You+f.Past.you, f.Past.limits
	if f.Held && !f.Past.limited.IsZero() {
		c.Limits += max(0, f.At.Sub(f.Past.limited).Seconds())
	}
	end := f.At
	if s.CurrentState == machine.Done {
		end = s.UpdatedAt
	}
	if !f.Past.began.IsZero() && end.After(f.Past.began) {
		c.Wall = end.Sub(f.Past.began).Seconds()
	}
	return c
}

// decisions are the session's, with the words of the transcript where there are some.
func (f Facts) decisions() []Decision {
	decisions := []Decision{}
	for n, d := range f.State.Decisions {
		shown := Decision{
			Phase: d.Phase + 1, State: d.State, Decision: d.Decision, Words: strings.ReplaceAll(d.Decision, "_", " "), Reason: d.Reason, By: d.By,
			Timestamp: d.Timestamp, Signals: d.Signals, Gate: d.Gate, PlanSHA: d.PlanSHA,
		}
		if f.Past != nil && f.Past.decided[n] != "" {
			shown.Words = f.Past.decided[n]
		}
		decisions = append(decisions, shown)
	}
	return decisions
}

func flakesOf(s machine.State) []machine.Flake {
	flakes := append([]machine.Flake{}, s.Flakes...)
	for i := range flakes {
		flakes[i].Phase++
	}
	return flakes
}

// commits are the session's, oldest first, with what is known of each.
func (f Facts) commits() []Commit {
	commits := []Commit{}
	if f.Past == nil {
		return commits
	}
	for _, c := range f.Past.commits {
		if known, ok := f.Past.size(c.SHA); ok {
			c.Subject, c.Files, c.Added, c.Removed, c.Paths = known.Subject, known.Files, known.Added, known.Removed, known.Paths
		}
		commits = append(commits, c)
	}
	return commits
}

// criteriaOf are the criteria of the spec, with the final review's word on each.
func criteriaOf(s machine.State) []Criterion {
	criteria := []Criterion{}
	for _, text := range s.Spec.Criteria {
		c := Criterion{Text: text, Mark: Pending}
		for _, judged := range s.FinalReview.Criteria {
			if !strings.EqualFold(strings.Join(strings.Fields(judged.Text), " "), strings.Join(strings.Fields(text), " ")) {
				continue
			}
			c.By, c.Evidence, c.Mark = "reviewer", judged.Evidence, Broken
			if judged.Satisfied {
				c.Mark = Passed
			}
		}
		criteria = append(criteria, c)
	}
	return criteria
}
