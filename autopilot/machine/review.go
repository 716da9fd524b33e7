package machine

import (
	"fmt"
	"slices"
)

func (m *move) inReview() error {
	switch m.e.Type {
	case Dispatched:
		return m.dispatched(StepReviewReply)
	case DispatchEnded:
		return m.ended(StepReview, m.reviewReplied)
	case EffectIntended:
		return m.effectIntended()
	case EffectDone:
		return m.effectDone(StepCommands)
	case Checked:
		return m.reviewChecked()
	}
	return m.commitRefused()
}

func (m *move) reviewReplied(r *Reply) error {
	p := m.phase()
	findings := fromPersona(r.Findings, "reviewer")
	if r.Status == "failed" && len(blocking(findings, m.s.RigorLevel)) == 0 {
		return m.retryOrAsk(StepReview, "the reviewer reported that it failed: "+r.Summary)
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(nonReview(p.Findings, m.s.RigorLevel), findings...)
	if len(blocking(findings, m.s.RigorLevel)) > 0 {
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

func (m *move) askReview() {
	p := m.phase()
	bad := blocking(p.Findings, m.s.RigorLevel)
	g := m.ask(GateReviewBlocking, gateOptions[GateReviewBlocking],
		fmt.Sprintf("The review of phase %s (%s) has %s.", p.Number, p.Name, Plural(len(bad), "blocking finding", "blocking findings")), describeAll(bad)...)
	g.limitFixes(p.ReviewFixes, "a phase's review")
}

// reviewChecked looks at what a human fixed by hand: the commands first, then the reviewer again.
func (m *move) reviewChecked() error {
	p := m.phase()
	m.settle(m.e.Checks)
	p.Checks = m.e.Checks
	failed := m.s.notPassed(m.e.Checks)
	bad := append(fromChecks(failed), blocking(m.e.Findings, m.s.RigorLevel)...)
	if len(bad) == 0 {
		m.s.Step = StepReview
		return nil
	}
	p.Findings = append(bad, nonBlocking(p.Findings, m.s.RigorLevel)...)
	m.askReview()
	return nil
}
