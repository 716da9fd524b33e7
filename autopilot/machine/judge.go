package machine

import "strings"

// fromPersona marks findings with the persona they come from.
func fromPersona(findings []Finding, persona string) []Finding {
	marked := make([]Finding, len(findings))
	for i, f := range findings {
		f.Source = persona
		marked[i] = f
	}
	return marked
}

// maxBlamed is how many failed tests a title names.
const maxBlamed = 3

// fromChecks makes a finding of each command that did not pass.
func fromChecks(checks []Check) []Finding {
	var findings []Finding
	for _, c := range checks {
		title := c.name() + " " + strings.ReplaceAll(c.Outcome, "_", " ")
		if n := len(c.Blamed); n > 0 && n <= maxBlamed {
			title += ": " + strings.Join(c.Blamed, ", ")
		}
		findings = append(findings, Finding{
			Severity: Critical, Title: title, Rationale: c.Detail,
			Source: "check", Command: c.Command, Dir: c.Dir,
		})
	}
	return findings
}

// against are the blocking findings of an event of checks, and one for each command that did not pass.
func (m *move) against() []Finding {
	return append(fromChecks(m.s.notPassed(m.e.Checks)), Blocking(m.e.Findings, m.s.RigorLevel)...)
}

// unmet makes a finding of each criterion that is not satisfied: a blocking one where the confidence is high.
func unmet(criteria []Criterion) []Finding {
	var findings []Finding
	for _, c := range criteria {
		if c.Satisfied {
			continue
		}
		f := Finding{Severity: Important, Title: "criterion not satisfied: " + c.Text, Rationale: c.Evidence, Source: "criterion"}
		if c.Confidence == "high" {
			f.Severity = Critical
		}
		findings = append(findings, f)
	}
	return findings
}

// Against is what a reply of a persona says against what rests on it; "" is nothing.
func (r Reply) Against(persona string, rigor Rigor) string {
	findings := append(fromPersona(r.Findings, persona), unmet(r.Criteria)...)
	switch bad := Blocking(findings, rigor); {
	case len(bad) > 0:
		return "the " + persona + "'s reply has a blocking finding: " + titles(bad)
	case r.Status != "done":
		return "the " + persona + "'s reply is " + r.Status
	}
	return ""
}

// notJudged begins the title of a finding about a criterion that the reviewer left out.
const notJudged = "criterion not judged: "

// NotJudged are the criteria of the spec that the final review says nothing about: that it passed is no word on them.
func (r FinalReviewed) NotJudged() []string {
	var criteria []string
	for _, f := range r.Findings {
		if text, ok := strings.CutPrefix(f.Title, notJudged); ok && f.Source == "criterion" {
			criteria = append(criteria, text)
		}
	}
	return criteria
}

// missing makes a finding of each criterion of the spec that the reviewer left out.
func missing(spec []string, criteria []Criterion) []Finding {
	var findings []Finding
	for _, text := range spec {
		said := false
		for _, c := range criteria {
			said = said || fold(c.Text) == fold(text)
		}
		if !said {
			findings = append(findings, Finding{Severity: Important, Title: notJudged + text, Source: "criterion"})
		}
	}
	return findings
}

// fold makes two spellings of a criterion comparable: white space, case and marks do not count.
func fold(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" \t\n`*_\"'.,;:", r)
	}), " "))
}
