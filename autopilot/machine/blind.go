package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// BlindPurpose is the purpose of the dispatch that reads a phase of the spec without its plan and its change.
const BlindPurpose = "blind"

// Blind is an independent reading of a phase: checks written from the spec alone, without the plan or the change.
type Blind struct {
	Checks  []BlindCheck `json:"checks,omitempty"`
	Dropped int          `json:"dropped,omitempty"` // checks that quote what the spec does not say
	Why     string       `json:"why,omitempty"`     // why there is no check
	Back    bool         `json:"back,omitempty"`    // what could not be run went back to its reader, once
	Tokens  int          `json:"tokens,omitempty"`
	Seconds float64      `json:"seconds,omitempty"`
}

// Read adds the checks of a reply. They replace those that could not run.
func (b Blind) Read(r Reply) Blind {
	last := len(b.Checks)
	b.Checks = slices.DeleteFunc(slices.Clone(b.Checks), func(c BlindCheck) bool { return c.Outcome == CheckCouldNot })
	for i, c := range r.Checks {
		c.ID = "B" + strconv.Itoa(last+i+1)
		b.Checks = append(b.Checks, c)
	}
	if len(b.Checks) == 0 {
		b.Why = r.Summary
	}
	return b
}

// Renewed resets the results, so that each check runs again, except those that the verifier called wrong.
func (b Blind) Renewed() Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		if c := &b.Checks[i]; c.Answer != VerdictCheck {
			c.Outcome, c.ExitCode, c.Output, c.Before, c.Answer, c.Why = "", 0, "", "", "", ""
		}
	}
	return b
}

// With lists the checks with an outcome; "" lists those that have not run.
func (b Blind) With(outcome string) []BlindCheck {
	return slices.DeleteFunc(slices.Clone(b.Checks), func(c BlindCheck) bool { return c.Outcome != outcome })
}

// Answered adds the verifier's verdict on each failed check. Without a verdict the spec counts as ambiguous there.
func (b Blind) Answered(judged []Judgement) Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		c := &b.Checks[i]
		if c.Outcome != CheckFailed || c.Answer == VerdictCheck { // already judged
			continue
		}
		c.Answer, c.Why = VerdictSpec, "the verifier gave no verdict"
		at := slices.IndexFunc(judged, func(j Judgement) bool {
			return j.ID == c.ID && slices.Contains([]string{VerdictCode, VerdictCheck, VerdictSpec}, j.Verdict)
		})
		if at >= 0 {
			c.Answer, c.Why = judged[at].Verdict, judged[at].Why
		}
	}
	return b
}

// Findings lists what the verdicts mean: wrong code is important; an ambiguous spec is a suggestion, and blocks at thorough.
func (b Blind) Findings(rigor Rigor) (findings []Finding) {
	for _, c := range b.Checks {
		f := Finding{Severity: Important, Title: c.title(c.Answer), Source: BlindPurpose}
		f.Rationale = strings.TrimPrefix(fmt.Sprintf("%s; `%s` ends with exit code %d: %s", c.Why, c.Command, c.ExitCode, c.Output), "; ")
		switch {
		case c.Answer == VerdictSpec && rigor != Thorough:
			f.Severity = Suggestion
		case c.Answer == "" || c.Answer == VerdictCheck:
			continue
		}
		findings = append(findings, f)
	}
	return findings
}

// Of finds the check that raised a finding.
func (b Blind) Of(f Finding) (BlindCheck, bool) {
	at := slices.IndexFunc(b.Checks, func(c BlindCheck) bool {
		return f.Source == BlindPurpose && (f.Title == c.title(VerdictCode) || f.Title == c.title(VerdictSpec))
	})
	if at < 0 {
		return BlindCheck{}, false
	}
	return b.Checks[at], true
}

// Summary counts the checks by outcome, in a line for people.
func (b Blind) Summary() string {
	var parts []string
	for _, n := range []struct{ outcome, words string }{
		{"", "to run"}, {CheckPassed, "passed"}, {CheckFailed, "failed"}, {CheckCouldNot, "could not run"}, {CheckFlaky, "flaky"},
	} {
		if k := len(b.With(n.outcome)); k > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k, n.words))
		}
	}
	if b.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d dropped, not a quote from the spec", b.Dropped))
	}
	if len(parts) == 0 {
		return "none: " + b.Why
	}
	return strings.Join(parts, ", ")
}

// WithoutTexts drops files and outputs: a finished phase needs only the checks and their outcomes, and the state stays small.
func (b Blind) WithoutTexts() Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		b.Checks[i].Files, b.Checks[i].Output = nil, ""
	}
	return b
}
