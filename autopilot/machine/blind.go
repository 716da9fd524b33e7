package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// BlindPurpose is the purpose of the dispatch that reads a phase of the spec without its plan and its change.
const BlindPurpose = "blind"

// Blind is an independent reading of a phase: what the spec wants, as checks made by somebody who saw neither plan nor change.
type Blind struct {
	Checks  []BlindCheck `json:"checks,omitempty"`
	Dropped int          `json:"dropped,omitempty"` // checks that quote what the spec does not say
	Why     string       `json:"why,omitempty"`     // why there is no check
	Back    bool         `json:"back,omitempty"`    // what could not be run went back to its reader, once
	Tokens  int          `json:"tokens,omitempty"`
	Seconds float64      `json:"seconds,omitempty"`
}

// Read is the reading with what its reader handed in, in place of what could not be run.
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

// Renewed is the reading with each check to be run again, but for those that the verifier holds for wrong.
func (b Blind) Renewed() Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		if c := &b.Checks[i]; c.Answer != VerdictCheck {
			c.Outcome, c.ExitCode, c.Output, c.Before, c.Answer, c.Why = "", 0, "", "", "", ""
		}
	}
	return b
}

// With are the checks with an outcome; "" are those that are to be run.
func (b Blind) With(outcome string) []BlindCheck {
	return slices.DeleteFunc(slices.Clone(b.Checks), func(c BlindCheck) bool { return c.Outcome != outcome })
}

// Answered is the reading with the verifier's word on each check that failed. What it leaves out is open.
func (b Blind) Answered(judged []Judgement) Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		c := &b.Checks[i]
		if c.Outcome != CheckFailed || c.Answer == VerdictCheck { // it was asked about no more
			continue
		}
		c.Answer, c.Why = VerdictSpec, "the verifier does not say what is wrong"
		at := slices.IndexFunc(judged, func(j Judgement) bool {
			return j.ID == c.ID && slices.Contains([]string{VerdictCode, VerdictCheck, VerdictSpec}, j.Verdict)
		})
		if at >= 0 {
			c.Answer, c.Why = judged[at].Verdict, judged[at].Why
		}
	}
	return b
}

// Findings are what the answers come to: what the spec wants and the code does not do is important, and what the spec leaves open
// is for a person to know, or at thorough to decide.
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

// Of is the check that led to a finding.
func (b Blind) Of(f Finding) (BlindCheck, bool) {
	at := slices.IndexFunc(b.Checks, func(c BlindCheck) bool {
		return f.Source == BlindPurpose && (f.Title == c.title(VerdictCode) || f.Title == c.title(VerdictSpec))
	})
	if at < 0 {
		return BlindCheck{}, false
	}
	return b.Checks[at], true
}

// Told says in a line what a reading came to.
func (b Blind) Told() string {
	parts := []string{}
	for _, n := range []struct {
		outcome, one, many string
	}{
		{"", "is to be run", "are to be run"}, {CheckPassed, "holds", "hold"}, {CheckFailed, "does not", "do not"}, {CheckCouldNot, "could not be run", "could not be run"}, {CheckFlaky, "differed in two runs", "differed in two runs"},
	} {
		if k := len(b.With(n.outcome)); k > 0 {
			parts = append(parts, Plural(k, n.one, n.many))
		}
	}
	if b.Dropped > 0 {
		parts = append(parts, Plural(b.Dropped, "was dropped, as it quotes what the spec does not say", "were dropped, as they quote what the spec does not say"))
	}
	if len(parts) == 0 {
		return "none: " + b.Why
	}
	return strings.Join(parts, ", ")
}

// WithoutTexts is the reading of a phase that is over: what the checks were and showed, without their files and outputs.
func (b Blind) WithoutTexts() Blind {
	b.Checks = slices.Clone(b.Checks)
	for i := range b.Checks {
		b.Checks[i].Files, b.Checks[i].Output = nil, ""
	}
	return b
}
