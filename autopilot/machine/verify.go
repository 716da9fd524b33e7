package machine

import "fmt"

// maxFixes is how many rounds of fixes a phase's verification, its review and the final review have each.
const maxFixes = 3

func (m *move) inVerify() error {
	switch m.e.Type {
	case Checked:
		return m.verifyChecked()
	case Dispatched:
		return m.dispatched(StepVerifierReply)
	case DispatchEnded:
		return m.ended(StepVerifier, m.verifierReplied)
	case EffectIntended:
		return m.effectIntended()
	case EffectDone:
		return m.effectDone(StepCommands)
	}
	return m.commitRefused()
}

// verifyChecked decides on the program's own commands and integrity checks.
func (m *move) verifyChecked() error {
	p := m.phase()
	clean := m.s.Step == StepClean
	m.settle(m.e.Checks)
	kept := overridden(p.Findings)
	if clean { // the commands ran before, and what they found without its blocking stands
		kept = nonBlocking(p.Findings, m.s.RigorLevel)
	}
	p.Checks, p.Findings, m.s.Step = m.e.Checks, append(kept, m.e.Findings...), StepCommands
	failed := m.s.notPassed(m.e.Checks)
	bad := append(fromChecks(failed), blocking(m.e.Findings, m.s.RigorLevel)...)
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
		m.askRed("These commands failed before any change and still fail, so they show nothing: "+commands(red)+". Go on without them?", red)
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

func (m *move) verified() error {
	p := m.phase()
	p.Verification = nil
	if yes := true; !p.Unverified {
		p.Verification = &yes
	}
	return m.edge(Verified)
}

// verifierReplied decides on the verifier's word; its word alone never makes a failed command pass.
func (m *move) verifierReplied(r *Reply) error {
	p := m.phase()
	findings := append(fromPersona(r.Findings, "verifier"), unmet(r.Criteria)...)
	if r.Status != "done" && len(blocking(findings, m.s.RigorLevel)) == 0 {
		findings = append(findings, Finding{Severity: Critical, Title: "the verifier reported: " + orElse(r.Blocker, r.Summary), Source: "verifier"})
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(p.Findings, findings...)
	if len(blocking(findings, m.s.RigorLevel)) > 0 {
		m.s.Step = StepVerifier
		m.askVerify("The verifier does not hold phase %s (%s) for done.")
		return nil
	}
	return m.verified()
}

func (m *move) askVerify(question string) {
	p := m.phase()
	g := m.ask(GateVerifyFailed, gateOptions[GateVerifyFailed], fmt.Sprintf(question, p.Number, p.Name),
		describeAll(blocking(p.Findings, m.s.RigorLevel))...)
	g.limitFixes(p.VerifyFixes, "a phase's verification")
}

// limitFixes takes the option to fix away once its rounds are spent, and says why.
func (g *Gate) limitFixes(used int, of string) {
	if used < maxFixes {
		return
	}
	var rest []Option
	for _, o := range g.Options {
		if o.Effect != string(Fix) {
			rest = append(rest, o)
		}
	}
	why := fmt.Sprintf("%s has %d rounds of fixes, and they are spent", of, maxFixes)
	g.Options, g.Refused = rest, []Refusal{{Option: "fix", Why: why}}
	g.Context = append(g.Context, "fix is not offered any more: "+why)
}

// fix begins a round of fixes: a task for each blocking finding, each with a fresh retry budget.
func (m *move) fix() error {
	p := m.phase()
	switch m.s.CurrentState {
	case Verify:
		p.VerifyFixes++
		m.fixTasks(KindVerifyFix, blocking(p.Findings, m.s.RigorLevel))
	case Review:
		p.ReviewFixes++
		m.fixTasks(KindReviewFix, blocking(p.Findings, m.s.RigorLevel))
	default:
		m.s.FinalReview.RetryCount++
		m.finalTasks()
	}
	return m.edge(Fix)
}

// fixTasks appends a task for each finding.
func (m *move) fixTasks(kind string, findings []Finding) {
	for _, f := range findings {
		t := Task{ID: m.nextTaskID(), Title: "Fix: " + f.Title, Kind: kind, Status: TaskPending, Validation: f.Command, Finding: &f}
		m.countOn(&t)
		m.s.Tasks = append(m.s.Tasks, t)
	}
}
