package transition

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// fix begins a round of fixes: a task for each blocking finding, each with a fresh retry budget.
func (m answering) fix() error {
	p := phase(m.s)
	kind, findings := machine.KindFinalFix, m.s.FinalReview.Findings
	switch m.s.CurrentState {
	case machine.Verify:
		p.VerifyFixes++
		kind, findings = machine.KindVerifyFix, p.Findings
	case machine.Review:
		p.ReviewFixes++
		kind, findings = machine.KindReviewFix, p.Findings
	default:
		m.s.FinalReview.RetryCount++
	}
	for _, f := range machine.Blocking(findings, m.s.RigorLevel) {
		t := machine.Task{ID: nextID(m.s.Tasks), Title: "Fix: " + f.Title, Kind: kind, Status: machine.TaskPending, Validation: f.Command, Finding: &f}
		countOn(m.s, &t)
		m.s.Tasks = append(m.s.Tasks, t)
	}
	if kind == machine.KindFinalFix { // completed ones of earlier rounds stay, and numbers go on even from those that go
		m.s.Tasks = slices.DeleteFunc(m.s.Tasks, func(t machine.Task) bool { return t.Status == machine.TaskFailed })
	}
	return m.edge(machine.Fix)
}

// maxFixes is how many rounds of fixes a phase's verification, its review and the final review have each.
const maxFixes = 3

// askFix asks about findings that block. The option to fix is gone once its rounds are spent, and the question says why.
func (m *move) askFix(kind machine.GateKind, question string, findings []machine.Finding, used int, of string) *machine.Gate {
	g := m.ask(kind, question, m.described(machine.Blocking(findings, m.s.RigorLevel))...)
	if used < maxFixes {
		return g
	}
	why := fmt.Sprintf("%s has %d rounds of fixes, and they are spent", of, maxFixes)
	g.Options = slices.DeleteFunc(g.Options, func(o machine.Option) bool { return o.Effect == string(machine.Fix) })
	g.Refused = []machine.Refusal{{Option: "fix", Why: why}}
	g.Context = append(g.Context, "fix is not offered any more: "+why)
	return g
}

// byHand marks the fixes that failed as a human's, so that the next review and not their old failure decides.
func (m answering) byHand() {
	for i := range m.s.Tasks {
		if t := &m.s.Tasks[i]; t.Status == machine.TaskFailed {
			t.ByHuman = true
		}
	}
}
