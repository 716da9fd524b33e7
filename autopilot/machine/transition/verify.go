package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

func (m verifying) inVerify() error {
	switch m.e.Type {
	case machine.Checked:
		return m.verifyChecked()
	case machine.BlindChecked:
		return m.blindChecked()
	case machine.DispatchEnded:
		if m.s.Step == machine.StepBlindReply {
			return m.blindEnded()
		}
		return dispatching(m).ended(machine.StepVerifier, m.verifierReplied)
	}
	return committing(m).outside(machine.StepCommands)
}

// verifyChecked decides on the program's own commands and integrity checks.
func (m verifying) verifyChecked() error {
	p := phase(m.s)
	clean := m.s.Step == machine.StepClean
	settle(m.s, m.e.Task, m.e.Checks)
	kept := overridden(p.Findings)
	if clean { // the commands ran before, and what they found without its blocking stands
		kept = nonBlocking(p.Findings, m.s.RigorLevel)
	} else {
		p.Proofs = m.e.Proofs
	}
	p.Checks, p.Findings, m.s.Step = m.e.Checks, append(kept, m.s.Unanswered(m.e.Findings)...), machine.StepCommands
	bad := m.against()
	red := m.s.Unaccepted(machine.ChecksWith(m.e.Checks, machine.CheckBaselineRed))
	ran := machine.Passing(m.e.Checks)
	accepted := len(machine.ChecksWith(m.e.Checks, machine.CheckBaselineRed, machine.CheckCouldNot, machine.CheckTimedOut)) > 0 // where none of them blocks
	unverified := accepted || (!ran && m.e.Waived)
	switch {
	case len(bad) > 0:
		p.Findings = append(bad, nonBlocking(p.Findings, m.s.RigorLevel)...)
		m.askVerify("Verification of phase %s (%s) failed.")
		return nil
	case len(red) > 0:
		m.ask(machine.GateBaselineRed, "These commands failed before any change and still fail, so they show nothing: "+machine.Commands(red)+". Go on without them?", machine.Details(red)...)
		return nil
	case !ran && !unverified:
		p.Findings = append(p.Findings, machine.Finding{Severity: machine.Critical, Title: "there is nothing to run: no validation command was found, and no task of the phase has one", Source: "check"})
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
	case m.s.RigorLevel == machine.Fast:
		return m.verified()
	case m.s.RigorLevel == machine.Thorough && !clean:
		m.s.Step = machine.StepClean
	default:
		m.toVerifier()
	}
	return nil
}

func (m verifying) verified() error {
	p := phase(m.s)
	p.Verification = nil
	if yes := true; !p.Unverified {
		p.Verification = &yes
	}
	return m.edge(machine.Verified)
}

// verifierReplied decides on the verifier's word; its word alone never makes a failed command pass.
func (m verifying) verifierReplied(r *machine.Reply) error {
	p := phase(m.s)
	findings := append(m.foundBy("verifier", r), machine.Unmet(r.Criteria)...)
	if p.Blind != nil {
		answered := p.Blind.Answered(r.Judged)
		p.Blind, findings = &answered, append(findings, answered.Findings(m.s.RigorLevel)...)
	}
	if r.Status != "done" && len(machine.Blocking(findings, m.s.RigorLevel)) == 0 {
		findings = append(findings, machine.Finding{Severity: machine.Critical, Title: "the verifier reported: " + why(r), Source: "verifier"})
	}
	p.Tries, p.Failure, p.Remark = 0, "", ""
	p.Findings = append(p.Findings, findings...)
	if len(machine.Blocking(findings, m.s.RigorLevel)) > 0 {
		m.s.Step = machine.StepVerifier
		m.askVerify("The verifier does not hold phase %s (%s) for done.")
		return nil
	}
	return m.verified()
}

func (m verifying) askVerify(question string) {
	p := phase(m.s)
	g := m.askFix(machine.GateVerifyFailed, fmt.Sprintf(question, p.Number, p.Name), p.Findings, p.VerifyFixes, "a phase's verification")
	for _, t := range m.s.Tasks {
		if t.Unproven && t.Account != "" {
			g.Context = append(g.Context, fmt.Sprintf("%s %s is unproven. Its agent says: %s", t.ID, t.Title, t.Account))
		}
	}
}
