package machine

import "strings"

// FromPersona marks findings with the persona they come from.
func FromPersona(findings []Finding, persona string) []Finding {
	marked := make([]Finding, len(findings))
	for i, f := range findings {
		f.Source = persona
		marked[i] = f
	}
	return marked
}

// Unmet makes a finding of each criterion that is not satisfied: a blocking one where the confidence is high.
func Unmet(criteria []Criterion) []Finding {
	var findings []Finding
	for _, c := range criteria {
		if c.Satisfied {
			continue
		}
		f := Finding{Severity: Important, Title: notSatisfied + c.Text, Rationale: c.Evidence, Source: "criterion"}
		if c.Confidence == "high" {
			f.Severity = Critical
		}
		findings = append(findings, f)
	}
	return findings
}

// Against is what a reply of a persona says against what rests on it; "" is nothing.
func (r Reply) Against(persona string, rigor Rigor) string {
	findings := append(FromPersona(r.Findings, persona), Unmet(r.Criteria)...)
	switch bad := Blocking(findings, rigor); {
	case len(bad) > 0:
		return "the " + persona + "'s reply has a blocking finding: " + Titles(bad)
	case r.Status != "done":
		return "the " + persona + "'s reply is " + r.Status
	}
	return ""
}

// notSatisfied begins the title of a finding about a criterion that somebody holds for not satisfied.
const notSatisfied = "criterion not satisfied: "

// Answers says whether this word on a criterion ends a finding about it: that it was not judged, or, where it is satisfied, that
// it was not.
func (c Criterion) Answers(f Finding) bool {
	text, left := strings.CutPrefix(f.Title, notJudged)
	if !left {
		text, _ = strings.CutPrefix(f.Title, notSatisfied)
	}
	return f.Source == "criterion" && (left || c.Satisfied) && fold(text) == fold(c.Text)
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

// Missing makes a finding of each criterion of the spec that the reviewer left out.
func Missing(spec []string, criteria []Criterion) []Finding {
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
