package report

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

// Group are things of one kind that a person should look at.
type Group struct {
	Name  string // 2 retries
	Items []string
}

// attention is what to look at, the weightiest first.
func (f Facts) attention() (groups []Group) {
	add := func(one, many string, items []string) {
		if len(items) > 0 {
			groups = append(groups, Group{count(len(items), one, many), items})
		}
	}
	s := f.Session
	add("altered record", "altered records", f.Altered)
	add("override", "overrides", f.overrides())
	add("not verified", "not verified", f.unverified())
	add("open finding", "open findings", findings(s.Findings.Open()))
	add("changed test", "changed tests", f.changedTests())
	add("flaky test", "flaky tests", flakes(s))
	add("retry", "retries", f.retries())
	add("assumption", "assumptions", s.Assumptions)
	add("concern", "concerns", f.concerns())
	return groups
}

// overrides are the findings that a person went on in spite of, and other decisions against a check.
func (f Facts) overrides() (items []string) {
	for _, e := range f.Session.Findings.Waived() {
		items = append(items, words.Joined(" ", placeOf(e.Finding), words.OneLine(e.Title), quoted(e.Reason), "("+person(e.By)+")"))
	}
	for _, d := range f.Session.Decisions {
		if against(d) && (len(f.Session.Findings.Waived()) == 0 || !strings.Contains(d.Decision, "override")) {
			items = append(items, words.Joined(" ", f.phaseName(d.Phase)+":", words.OneLine(d.Words), quoted(d.Reason), "("+person(d.By)+")"))
		}
	}
	return items
}

// against says whether somebody went on in spite of a check.
func against(d view.Decision) bool {
	for _, word := range []string{"override", "baseline_red: continue", "unverified"} {
		if strings.Contains(d.Decision, word) {
			return true
		}
	}
	return false
}

func quoted(text string) string {
	if text = words.OneLine(text); text == "" {
		return ""
	}
	return `"` + text + `"`
}

// unverified are phases that no check speaks for. A task that was skipped is an open finding.
func (f Facts) unverified() (items []string) {
	for _, p := range f.Session.Phases {
		name := f.phaseName(p.Position)
		switch {
		case p.Outcome == "skipped":
			items = append(items, words.Joined(" ", name, "was skipped", f.skipReason(p.Position)))
		case p.Outcome == "failed":
			items = append(items, name+" counts as failed")
		case p.Outcome != "" && (p.Verified == nil || !*p.Verified):
			items = append(items, name+" was not checked")
		}
	}
	return items
}

// skipReason is why somebody skipped a phase, by its position, and who it was.
func (f Facts) skipReason(phase int) (why string) {
	for _, d := range f.Session.Decisions {
		if d.Phase == phase && strings.HasSuffix(d.Decision, ": skip") {
			why = words.Joined(" ", quoted(d.Reason), "("+person(d.By)+")")
		}
	}
	return why
}

// findings are entries of the register, a line each.
func findings(list machine.Register) (items []string) {
	for _, e := range list {
		items = append(items, fmt.Sprintf("%s (%s, %s)", words.Joined(" ", placeOf(e.Finding), words.OneLine(e.Title)), e.ID, e.Severity))
	}
	return items
}

// changedTests are the tests that tasks changed with the plan's word.
func (f Facts) changedTests() (items []string) {
	for _, e := range f.Session.Findings {
		if e.Source == "integrity" && e.Severity == machine.Suggestion && e.Command != "" {
			items = append(items, words.OneLine(e.Title))
		}
	}
	return items
}

func flakes(s view.Session) (items []string) {
	for _, flake := range s.Flakes {
		items = append(items, fmt.Sprintf("%s (%s)", flake.Test, count(flake.Times, "time", "times")))
	}
	return items
}

// retries are the attempts that failed, with the reason.
func (f Facts) retries() (items []string) {
	for _, p := range f.Session.Phases {
		for _, t := range p.Tasks {
			for _, a := range t.Attempts {
				if a.Mark == view.Broken {
					items = append(items, fmt.Sprintf("%d.%d %s: %s", p.Position, t.N, words.OneLine(t.Title), reason(a.Error)))
				}
			}
		}
	}
	return items
}

// reason is why an attempt failed, in a line.
func reason(text string) string {
	line := []rune(words.OneLine(words.FirstLine(text)))
	if len(line) > 120 {
		line = append(line[:119], '…')
	}
	return string(line)
}

// concerns are those of the planners.
func (f Facts) concerns() (items []string) {
	for _, p := range f.Session.Phases {
		for _, c := range p.Concerns {
			items = append(items, "phase "+p.Number+": "+words.OneLine(c))
		}
	}
	return items
}

// phaseName is a phase by its position: phase 2 (Rule engine).
func (f Facts) phaseName(position int) string {
	if position < 1 || position > len(f.Session.Phases) {
		return "the final review"
	}
	p := f.Session.Phases[position-1]
	return fmt.Sprintf("phase %s (%s)", p.Number, words.OneLine(p.Name))
}
