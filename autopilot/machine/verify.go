package machine

import (
	"fmt"
	"slices"
)

// maxFixes is how many rounds of fixes a phase's verification, its review and the final review have each.
const maxFixes = 3

// verifying is VERIFY: the commands say whether the phase is done, then the verifier.
type verifying struct{ *move }

func (m verifying) inVerify() error {
	switch m.e.Type {
	case Checked:
		return m.verifyChecked()
	case DispatchEnded:
		return dispatching(m).ended(StepVerifier, m.verifierReplied)
	}
	return committing(m).outside(StepCommands)
}

// verifyChecked decides on the program's own commands and integrity checks.
func (m verifying) verifyChecked() error {
	p := phase(m.s)
	clean := m.s.Step == StepClean
	settle(m.s, m.e.Task, m.e.Checks)
	kept := overridden(p.Findings)
	if clean { // the commands ran before, and what they found without its blocking stands
		kept = nonBlocking(p.Findings, m.s.RigorLevel)
	}
	p.Checks, p.Findings, m.s.Step = m.e.Checks, append(kept, m.e.Findings...), StepCommands
	bad := m.against()
	red := m.s.unaccepted(checksWith(m.e.Checks, CheckBaselineRed))
	ran := Passing(m.e.Checks)
	accepted := len(checksWith(m.e.Checks, CheckBaselineRed, CheckCouldNot, CheckTimedOut)) > 0 // where none of them blocks
	unverified := accepted || (!ran && m.e.Waived)
	switch {
	case len(bad) > 0:
		p.Findings = append(bad, nonBlocking(p.Findings, m.s.RigorLevel)...)
		m.askVerify("Verification of phase %s (%s) failed.")
		return nil
	case len(red) > 0:
		m.ask(GateBaselineRed, gateOptions[GateBaselineRed],
			"These commands failed before any change and still fail, so they show nothing: "+commands(red)+". Go on without them?", details(red)...)
		return nil
	case !ran && !unverified:
		p.Findings = append(p.Findings, Finding{Severity: Critical, Title: "there is nothing to run: no validation command was found, and no task of the phase has one", Source: "check"})
		m.askVerify("Phase %s (%s) could not be verified: there is nothing to run.")
		return nil
	}
	p.Unverified = unverified
	switch {
	case accepted:
		m.decide("unverified", "commands that failed before any change still do not pass; a human went on without them", "rule")
	case unverified:
		m.decide("unverified", "there is nothing to run, as wished", "configuration")
	}
	switch {
	case m.s.RigorLevel == Fast:
		return m.verified()
	case m.s.RigorLevel == Thorough && !clean:
		m.s.Step = StepClean
	default:
		m.s.Step = StepVerifier
	}
	return nil
}

func (m verifying) verified() error {
	p := phase(m.s)
	p.Verification = nil
	if yes := true; !p.Unverified {
		p.Verification = &yes
	}
	return m.edge(Verified)
}

// verifierReplied decides on the verifier's word; its word alone never makes a failed command pass.
func (m verifying) verifierReplied(r *Reply) error {
	p := phase(m.s)
	findings := append(fromPersona(r.Findings, "verifier"), unmet(r.Criteria)...)
	if r.Status != "done" && len(Blocking(findings, m.s.RigorLevel)) == 0 {
		findings = append(findings, Finding{Severity: Critical, Title: "the verifier reported: " + r.why(), Source: "verifier"})
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(p.Findings, findings...)
	if len(Blocking(findings, m.s.RigorLevel)) > 0 {
		m.s.Step = StepVerifier
		m.askVerify("The verifier does not hold phase %s (%s) for done.")
		return nil
	}
	return m.verified()
}

func (m verifying) askVerify(question string) {
	p := phase(m.s)
	m.askFix(GateVerifyFailed, fmt.Sprintf(question, p.Number, p.Name), p.Findings, p.VerifyFixes, "a phase's verification")
}

// askFix asks about findings that block. The option to fix is gone once its rounds are spent, and the question says why.
func (m *move) askFix(kind GateKind, question string, findings []Finding, used int, of string) {
	g := m.ask(kind, gateOptions[kind], question, describeAll(Blocking(findings, m.s.RigorLevel))...)
	if used < maxFixes {
		return
	}
	why := fmt.Sprintf("%s has %d rounds of fixes, and they are spent", of, maxFixes)
	g.Options = slices.DeleteFunc(g.Options, func(o Option) bool { return o.Effect == string(Fix) })
	g.Refused = []Refusal{{Option: "fix", Why: why}}
	g.Context = append(g.Context, "fix is not offered any more: "+why)
}

// fix begins a round of fixes: a task for each blocking finding, each with a fresh retry budget.
func (m answering) fix() error {
	p := phase(m.s)
	switch m.s.CurrentState {
	case Verify:
		p.VerifyFixes++
		m.fixTasks(KindVerifyFix, Blocking(p.Findings, m.s.RigorLevel))
	case Review:
		p.ReviewFixes++
		m.fixTasks(KindReviewFix, Blocking(p.Findings, m.s.RigorLevel))
	default:
		m.s.FinalReview.RetryCount++
		m.finalTasks()
	}
	return m.edge(Fix)
}

// fixTasks appends a task for each finding.
func (m answering) fixTasks(kind string, findings []Finding) {
	for _, f := range findings {
		t := Task{ID: nextID(m.s.Tasks), Title: "Fix: " + f.Title, Kind: kind, Status: TaskPending, Validation: f.Command, Finding: &f}
		countOn(m.s, &t)
		m.s.Tasks = append(m.s.Tasks, t)
	}
}
