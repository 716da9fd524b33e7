package live

import (
	"fmt"
	"strings"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// headKind is that of lines without a time.
const headKind = "head"

// Header prints what the session is about, above all else.
func (l *Live) Header() {
	if s, _, known := l.Session(l.Host.Now()); known {
		l.headed = true
		l.Add(header(s)...)
	}
}

// header says what a session is about, in two lines and an empty one.
func header(s view.Session) []view.Line {
	about := []string{s.Spec, s.Title, machine.Plural(len(s.Phases), "phase", "phases")}
	var under []string
	if s.Branch != "" {
		under = append(under, "branch "+s.Branch)
	}
	if r := s.LastRun; r != nil && r.Backend != "" {
		name := r.Backend
		if r.Model != "" {
			name += " (" + r.Model + ")"
		}
		under = append(under, name)
	}
	if s.Rigor != "" {
		under = append(under, string(s.Rigor)+" checks")
	}
	if of := budgets(s.Budgets); len(of) > 0 {
		under = append(under, "budget "+strings.Join(of, " and "))
	}
	return []view.Line{
		{Kind: headKind, Text: "autopilot " + strings.Join(about, " · ")},
		{Kind: headKind, Text: strings.Join(under, " · ")},
		{Kind: headKind},
	}
}

// budgets are those of a whole session, in words.
func budgets(all []view.Budget) []string {
	var of []string
	for _, b := range all {
		switch b.Name {
		case "cost":
			of = append(of, strings.TrimSuffix(dollars(b.Of), ".00"))
		case "duration":
			of = append(of, hours(time.Duration(b.Of*float64(time.Second))))
		case "tokens", "dispatches":
			of = append(of, fmt.Sprintf("%.0f %s", b.Of, map[string]string{"tokens": "tokens", "dispatches": "agent runs"}[b.Name]))
		}
	}
	return of
}

func hours(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return words.Seconds(d.Seconds())
}
