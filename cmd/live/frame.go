package live

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

const (
	tallest  = 7  // rows of the region
	narrow   = 72 // columns below which words are left out
	least    = 40 // columns below which there is no region
	shortest = 8  // rows of a terminal below which there is none
	maxLanes = 4  // that have a row each
)

// silence is after how long without output that is what is shown.
const silence = time.Minute

// screen is what the rows depend on beside the session.
type screen struct {
	Look
	columns, height int
	at              time.Time
	stopping        time.Time // since when the run is being stopped; zero: it is not
	typing          typing
	actions         Actions
}

// fits says whether the terminal has room for a region.
func (c screen) fits() bool { return c.columns >= least && c.height >= shortest }

func (c screen) narrow() bool { return c.columns < narrow }

// frame are the rows of the region for a session.
func (c screen) frame(s view.Session) []row {
	rows := []row{c.first(s)}
	if c.typing.mode == helping {
		rows = append(rows, c.help()...)
	} else {
		rows = append(rows, c.under(s)...)
	}
	rows = append(rows, c.strip(s), c.keyRow())
	most := min(tallest, c.height-2)
	if len(rows) < most {
		rows = append([]row{nil}, rows...) // parts the region from what stays
	}
	for len(rows) > most && len(rows) > 1 {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// since is how long something lasts by now.
func (c screen) since(t time.Time) string { return words.Elapsed(max(0, c.at.Sub(t))) }

// first is the row that says what runs now, for how long, and what it cost.
func (c screen) first(s view.Session) row {
	turn := c.of(c.spinner(c.at.Unix())+" ", green)
	switch {
	case !c.stopping.IsZero():
		return between(row{turn, c.of("Stopping · ending the agent, its work is kept", bold)}, row{c.of(c.since(c.stopping), faint)}, c.columns, c.Look)
	case s.Standing == view.Waiting && s.Limit != nil:
		return c.waiting(*s.Limit).cut(c.columns, c.Look)
	case len(s.Works) == 0:
		return between(row{turn, {c.Told(s.Headline), bold}}, row{c.of(c.since(s.Since), faint)}, c.columns, c.Look)
	case len(s.Works) > 1:
		return c.several(turn, s)
	}
	w := s.Works[0]
	return between(append(row{turn}, c.doing(w)...), c.took(w), c.columns, c.Look)
}

// took is the time and the cost of a work, or the time that its command took before.
func (c screen) took(w view.Running) row {
	took := row{c.of(c.since(w.Since), faint)}
	switch {
	case w.LastTook > 0 && c.narrow():
		took = append(took, c.of(" of "+words.Seconds(w.LastTook), faint))
	case w.LastTook > 0:
		took = append(took, c.of(", last took "+words.Seconds(w.LastTook), faint))
	case w.USD > 0:
		took = append(took, c.of(fmt.Sprintf("%8s", dollars(w.USD)), usual))
	}
	return took
}

// doing says what a work is about: whose task, which attempt, who is at it.
func (c screen) doing(w view.Running) row {
	doing := w.Doing
	if c.narrow() && w.N > 0 && w.Command == "" {
		doing = fmt.Sprintf("%d/%d %s", w.N, w.Of, w.Title)
	}
	said := row{{c.Told(doing), bold}}
	if w.Command != "" {
		return append(said, span{c.Text(" · ") + c.Told(w.Command), usual})
	}
	who := ""
	if w.Persona != "" {
		who = " · " + w.Persona
	}
	return append(said, c.of(c.attempt(w)+who, usual))
}

func (c screen) attempt(w view.Running) string {
	switch {
	case w.Attempt == 0 || w.Attempt == 1 && w.Limit == 0:
		return ""
	case c.narrow() || w.Limit == 0:
		return fmt.Sprintf(" · attempt %d", w.Attempt)
	}
	return fmt.Sprintf(" · attempt %d of %d", w.Attempt, w.Limit)
}

// several is the first row while tasks are at work beside each other.
func (c screen) several(turn span, s view.Session) row {
	begun, usd, done := c.at, 0.0, 0
	for _, w := range s.Works {
		begun, usd = earlier(begun, w.Since), usd+w.USD
	}
	for _, t := range tasksNow(s) {
		if t.Mark == view.Passed {
			done++
		}
	}
	text := fmt.Sprintf("%d tasks in parallel", len(s.Works))
	said := row{turn, c.of(text, bold), c.of(fmt.Sprintf(" · %d of %d done", done, s.Works[0].Of), usual)}
	if more := len(s.Works) - maxLanes; more > 0 {
		said = append(said, c.of(fmt.Sprintf(" · +%d more", more), faint))
	}
	return between(said, c.took(view.Running{Work: view.Work{Since: begun}, USD: usd}), c.columns, c.Look)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// tasksNow are the tasks of the current phase.
func tasksNow(s view.Session) []view.Task {
	if s.State == machine.FinalReview || s.Phase < 1 || s.Phase > len(s.Phases) {
		return s.FinalTasks
	}
	return s.Phases[s.Phase-1].Tasks
}

func (c screen) waiting(l view.Limit) row {
	for_, why := l.Backend, "usage limit"
	if for_ == "" {
		for_, why = "a budget", l.Text
	}
	text := fmt.Sprintf("Waiting for %s: %s", for_, why)
	if !l.Until.IsZero() {
		text += fmt.Sprintf(" until %s, in %s", clock(l.Until.In(c.at.Location())), words.Elapsed(max(0, l.Until.Sub(c.at))))
	}
	return row{c.of("◷ ", yellow), {c.Told(text), bold}}
}

// under are the rows below the first: the last words of what runs, or a row for each lane.
func (c screen) under(s view.Session) []row {
	switch {
	case !c.stopping.IsZero():
		return []row{{c.of("  ctrl-c again to kill it now", faint)}}
	case s.Standing == view.Waiting && s.Limit != nil:
		return []row{row{c.of("  Continues by itself. Or now: ", faint), {"autopilot " + c.Told(s.Spec) + " --backend NAME", cyan}}.cut(c.columns, c.Look)}
	case len(s.Works) == 0:
		return []row{nil}
	case len(s.Works) > 1:
		return c.lanes(s.Works[:min(maxLanes, len(s.Works))])
	}
	w := s.Works[0]
	if text := c.silent(w, true); text != "" {
		return []row{row{c.of("  ! "+text, yellow)}.cut(c.columns, c.Look)}
	}
	if w.LastLine == "" {
		return []row{nil}
	}
	return []row{between(row{{"  " + c.Told(w.LastLine), usual}}, row{c.of(age(c.at.Sub(w.LastLineAt))+" ago", faint)}, c.columns, c.Look)}
}

// silent says for how long nothing came from a work that is stopped for that; "" where that is not long.
func (c screen) silent(w view.Running, whole bool) string {
	last := w.LastLineAt
	if last.Before(w.Since) {
		last = w.Since
	}
	if w.IdleStops.IsZero() || c.at.Sub(last) < silence {
		return ""
	}
	text := "no output for " + c.since(last)
	if whole {
		text += ", stops at " + words.Elapsed(w.IdleStops.Sub(last)) + " (timeouts.idle)"
	}
	return text
}

// lanes are the rows of tasks at work beside each other, in columns.
func (c screen) lanes(works []view.Running) []row {
	var named []string
	longest := 0
	for _, w := range works {
		name := c.Told(fmt.Sprintf("%d/%d %s", w.N, w.Of, w.Title))
		if w.N == 0 {
			name = c.Told(w.Doing)
		}
		if most := c.columns / 3; width(name) > most {
			name = row{{name, usual}}.cut(most, c.Look).String()
		}
		named, longest = append(named, name), max(longest, width(name))
	}
	var rows []row
	for i, w := range works {
		name := "  " + named[i] + strings.Repeat(" ", longest-width(named[i])+2)
		if !c.narrow() {
			name += fmt.Sprintf(" attempt %-2d ", max(1, w.Attempt))
		}
		who, said, as := w.Persona, c.Told(w.LastLine), usual
		if w.Command != "" {
			who, said = "checking", c.Told(w.Command)
		}
		if text := c.silent(w, false); text != "" {
			said, as = "! "+text, yellow
		}
		rows = append(rows, row{{name, usual}, c.of(fmt.Sprintf("%-8s", who), usual), c.of(fmt.Sprintf("%6s  ", c.since(w.Since)), faint), {said, as}}.cut(c.columns, c.Look))
	}
	return rows
}

// strip is the row of the phase's steps, the session's time and its cost.
func (c screen) strip(s view.Session) row {
	left := row{c.of("  final review", faint)}
	if s.Phase >= 1 && s.Phase <= len(s.Phases) && s.State != machine.FinalReview && s.State != machine.Done {
		at := fmt.Sprintf("  phase %d of %d ", s.Phase, len(s.Phases))
		if c.narrow() {
			at = fmt.Sprintf("  %d/%d ", s.Phase, len(s.Phases))
		}
		left = row{c.of(at, faint)}
		for _, step := range s.Phases[s.Phase-1].Steps {
			left = append(left, c.step(step)...)
		}
	}
	return between(left, row{c.of(words.Seconds(s.Clock.Work), faint), c.of("   ", usual), c.cost(s)}, c.columns, c.Look)
}

// signs of marks, and how they look.
var signs = map[view.Mark]span{
	view.Passed: {"✓", green}, view.Broken: {"✗", red}, view.Asking: {"?", yellow}, view.Skipped: {"-", faint},
}

func (c screen) step(step view.PhaseStep) row {
	as := usual
	if step.Mark == view.Pending || step.Mark == view.Skipped {
		as = faint
	}
	if step.Mark == view.Active {
		as = bold
	}
	said := row{c.of(" "+step.Name, as)}
	if step.Count != "" && step.Mark != view.Passed {
		said = append(said, c.of(" "+step.Count, as))
	}
	if sign, ok := signs[step.Mark]; ok {
		said = append(said, c.of(" "+sign.text, sign.as))
	}
	return said
}

// cost is what the session cost so far, beside its budget.
func (c screen) cost(s view.Session) span {
	if !s.CostKnown {
		return c.of("cost unknown", faint)
	}
	text, as := dollars(s.Usage.CostUSD), usual
	for _, b := range s.Budgets {
		if b.Name != "cost" || b.Of <= 0 {
			continue
		}
		part := b.Used / b.Of
		if part >= 0.8 {
			as = yellow
		}
		if text += fmt.Sprintf(" of %s, %.0f%%", strings.TrimSuffix(dollars(b.Of), ".00"), 100*part); c.narrow() {
			text = fmt.Sprintf("%s (%.0f%%)", dollars(s.Usage.CostUSD), 100*part)
		}
	}
	return c.of(text, as)
}
