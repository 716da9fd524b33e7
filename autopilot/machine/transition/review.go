package transition

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

func (m reviewing) inReview() error {
	switch m.e.Type {
	case machine.DispatchEnded:
		return dispatching(m).ended(machine.StepReview, m.reviewReplied)
	case machine.Checked:
		return m.reviewChecked()
	}
	return committing(m).outside(machine.StepCommands)
}

func (m reviewing) reviewReplied(r *machine.Reply) error {
	p := phase(m.s)
	findings := m.foundBy("reviewer", r)
	if r.Status == "failed" && len(machine.Blocking(findings, m.s.RigorLevel)) == 0 {
		return dispatching(m).retryOrAsk(machine.StepReview, "the reviewer reported that it failed: "+r.Summary)
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(without(nonReview(p.Findings, m.s.RigorLevel), m.s.Register.StillThere(r.Judged)), findings...)
	if len(machine.Blocking(findings, m.s.RigorLevel)) > 0 {
		m.s.Step = machine.StepReview
		m.askReview()
		return nil
	}
	return m.edge(machine.Reviewed)
}

// nonReview keeps what was found before this review and does not block, and what a human went on in spite of.
func nonReview(findings []machine.Finding, rigor machine.Rigor) []machine.Finding {
	return slices.DeleteFunc(nonBlocking(findings, rigor), func(f machine.Finding) bool { return f.Source == "reviewer" && !f.Overridden })
}

func (m reviewing) askReview() {
	p := phase(m.s)
	n := len(machine.Blocking(p.Findings, m.s.RigorLevel))
	m.askFix(machine.GateReviewBlocking, fmt.Sprintf("The review of phase %s (%s) has %s.", p.Number, p.Name, machine.Plural(n, "blocking finding", "blocking findings")),
		p.Findings, p.ReviewFixes, "a phase's review")
}

// reviewChecked looks at what a human fixed by hand: the commands first, then the reviewer again.
func (m reviewing) reviewChecked() error {
	p := phase(m.s)
	settle(m.s, m.e.Task, m.e.Checks)
	p.Checks = m.e.Checks
	bad := m.against()
	if len(bad) == 0 {
		m.s.Step = machine.StepReview
		return nil
	}
	p.Findings = append(bad, nonBlocking(p.Findings, m.s.RigorLevel)...)
	m.askReview()
	return nil
}
