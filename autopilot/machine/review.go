package machine

import (
	"fmt"
	"slices"
)

// reviewing is REVIEW.
type reviewing struct{ *move }

func (m reviewing) inReview() error {
	switch m.e.Type {
	case DispatchEnded:
		return dispatching(m).ended(StepReview, m.reviewReplied)
	case Checked:
		return m.reviewChecked()
	}
	return committing(m).outside(StepCommands)
}

func (m reviewing) reviewReplied(r *Reply) error {
	p := phase(m.s)
	findings := fromPersona(r.Findings, "reviewer")
	if r.Status == "failed" && len(Blocking(findings, m.s.RigorLevel)) == 0 {
		return dispatching(m).retryOrAsk(StepReview, "the reviewer reported that it failed: "+r.Summary)
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(nonReview(p.Findings, m.s.RigorLevel), findings...)
	if len(Blocking(findings, m.s.RigorLevel)) > 0 {
		m.s.Step = StepReview
		m.askReview()
		return nil
	}
	return m.edge(Reviewed)
}

// nonReview keeps what was found before this review and does not block, and what a human went on in spite of.
func nonReview(findings []Finding, rigor Rigor) []Finding {
	return slices.DeleteFunc(nonBlocking(findings, rigor), func(f Finding) bool { return f.Source == "reviewer" && !f.Overridden })
}

func (m reviewing) askReview() {
	p := phase(m.s)
	n := len(Blocking(p.Findings, m.s.RigorLevel))
	m.askFix(GateReviewBlocking, fmt.Sprintf("The review of phase %s (%s) has %s.", p.Number, p.Name, Plural(n, "blocking finding", "blocking findings")),
		p.Findings, p.ReviewFixes, "a phase's review")
}

// reviewChecked looks at what a human fixed by hand: the commands first, then the reviewer again.
func (m reviewing) reviewChecked() error {
	p := phase(m.s)
	settle(m.s, m.e.Task, m.e.Checks)
	p.Checks = m.e.Checks
	bad := m.against()
	if len(bad) == 0 {
		m.s.Step = StepReview
		return nil
	}
	p.Findings = append(bad, nonBlocking(p.Findings, m.s.RigorLevel)...)
	m.askReview()
	return nil
}
