package transition

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// fix begins a round of fixes. Its tasks have a fresh retry budget each, and what the person said for a hint, which an older program
// recorded alone.
func (m answering) fix() error {
	p := phase(m.s)
	kind, findings := machine.KindFinalFix, m.s.FinalReview.Findings
	switch m.s.CurrentState {
	case machine.Verify:
		p.VerifyFixes++
		kind, findings = machine.KindVerifyFix, p.Findings
	case machine.Review, machine.PhaseComplete:
		p.ReviewFixes++
		kind, findings = machine.KindReviewFix, p.Findings
	default:
		m.s.FinalReview.RetryCount++
	}
	if m.s.CurrentState == machine.PhaseComplete { // it is not, after all: its entry is written when it is again
		p.Status, m.s.History = machine.PhaseInProgress, m.s.History[:len(m.s.History)-1]
	}
	for _, group := range m.groups(findings) {
		t := machine.Task{ID: nextID(m.s.Tasks), Title: "Fix: " + group[0].Title, Kind: kind, Status: machine.TaskPending, Validation: group[0].Command, Finding: &group[0], Also: group[1:]}
		if n := len(t.Also); n > 0 {
			t.Title += fmt.Sprintf(" (and %d more)", n)
		}
		if m.s.Edition >= 4 {
			t.Remark = m.e.Answer.Reason
		}
		countOn(m.s, &t)
		m.s.Tasks = append(m.s.Tasks, t)
	}
	if kind == machine.KindFinalFix { // completed ones of earlier rounds stay, and numbers go on even from those that go
		m.s.Tasks = slices.DeleteFunc(m.s.Tasks, func(t machine.Task) bool { return t.Status == machine.TaskFailed })
	}
	return m.edge(machine.Fix)
}

// groups are the findings of each fix task: one task for a command, which it has to pass, and one for all others, so that an
// agent sees what belongs together. An older program named no findings, and had a task for each that blocks.
func (m answering) groups(findings []machine.Finding) (groups [][]machine.Finding) {
	if len(m.e.Fix) == 0 {
		for _, f := range machine.Blocking(findings, m.s.RigorLevel) {
			groups = append(groups, []machine.Finding{f})
		}
		return groups
	}
	var others []machine.Finding
	for _, e := range m.s.Register {
		if !slices.Contains(m.e.Fix, e.ID) {
			continue
		}
		f := e.Finding
		if at := slices.IndexFunc(findings, func(f machine.Finding) bool { return f.Cause() == e.Cause() }); at >= 0 {
			f = findings[at] // with its rationale in full
		}
		if f.Command != "" {
			groups = append(groups, []machine.Finding{f})
		} else {
			others = append(others, f)
		}
	}
	if len(others) > 0 {
		slices.SortStableFunc(others, func(a, b machine.Finding) int { return severity(b) - severity(a) }) // the first names the task
		groups = slices.Insert(groups, 0, others)
	}
	return groups
}

// severity is the rank of a finding: the more severe, the higher.
func severity(f machine.Finding) int {
	return slices.Index([]string{machine.Suggestion, machine.Important, machine.Critical}, f.Severity)
}

// askFix asks about findings that block. The option to fix is gone once its rounds are spent, and the question says why.
func (m *move) askFix(kind machine.GateKind, question string, findings []machine.Finding, used int, of string) *machine.Gate {
	g := m.ask(kind, question, m.described(machine.Blocking(findings, m.s.RigorLevel))...)
	if used < machine.MaxFixes {
		return g
	}
	why := fmt.Sprintf("%s has %d rounds of fixes, and they are spent", of, machine.MaxFixes)
	refuse(g, "fix", why)
	if kind == machine.GateFinalBlocking && m.s.Edition >= 1 {
		why += ": see .harness/failures.md"
	}
	g.Context = append(g.Context, "fix is not offered any more: "+why)
	return g
}

// dropFix takes the option to fix out of a question.
func dropFix(g *machine.Gate) {
	g.Options = slices.DeleteFunc(slices.Clone(g.Options), func(o machine.Option) bool { return o.Effect == string(machine.Fix) })
}

// byHand marks the fixes that failed as a human's, so that the next review and not their old failure decides.
func (m answering) byHand() {
	for i := range m.s.Tasks {
		if t := &m.s.Tasks[i]; t.Status == machine.TaskFailed {
			t.ByHuman = true
		}
	}
}
