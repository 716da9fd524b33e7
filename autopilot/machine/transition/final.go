package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

// enterFinalReview begins the review of the whole change, once what passed in earlier phases was run again, or the steps
// of its fix tasks.
func (m finalReviewing) enterFinalReview() {
	if m.s.Edition >= 1 { // an older program left it pending
		m.s.FinalReview.Status = "in_progress"
	}
	switch {
	case m.took == machine.Fix:
		m.s.Step = machine.StepPick
	case len(m.s.PassedBefore()) > 0:
		m.s.Step = machine.StepCommands
	default:
		m.s.Step = machine.StepReview
	}
}

func (m finalReviewing) inFinalReview() error {
	switch m.e.Type {
	case machine.TasksFinished:
		if len(openTasks(m.s)) > 0 {
			return m.illegal("tasks are open")
		}
		m.s.Step = machine.StepCommands
		return nil
	case machine.Checked:
		return m.finalChecked()
	case machine.DispatchEnded:
		if m.s.Step == machine.StepReviewReply {
			return dispatching(m).ended(machine.StepReview, m.finalReplied)
		}
	case machine.EffectDone:
		if m.s.Step == machine.StepRecoveryCommit || m.s.Step == machine.StepHumanCommit {
			return committing(m).effectDone(machine.StepCommands)
		}
	}
	return tasking(m).inTasks()
}

// finalChecked keeps what the commands say after a fix round; the reviewer is asked in any case.
func (m finalReviewing) finalChecked() error {
	settle(m.s, m.e.Task, m.e.Checks)
	bad := m.against()
	m.s.FinalReview.Findings = append(bad, overridden(m.s.FinalReview.Findings)...)
	for _, t := range m.s.Tasks {
		if t.Status == machine.TaskFailed && !t.ByHuman {
			for _, f := range t.Fixes() {
				f.Severity, f.Source, f.Rationale = machine.Critical, "check", "a fix failed on every attempt: "+lastError(t)
				m.s.FinalReview.Findings = append(m.s.FinalReview.Findings, f)
			}
		}
	}
	m.s.Step, m.s.CurrentTask = machine.StepReview, ""
	return nil
}

// finalReplied decides on the whole change: the findings, and each criterion of the spec.
func (m finalReviewing) finalReplied(r *machine.Reply) error {
	findings := append(m.foundBy("reviewer", r), machine.Unmet(r.Criteria)...)
	if r.Status == "failed" && len(machine.Blocking(findings, m.s.RigorLevel)) == 0 {
		return dispatching(m).retryOrAsk(machine.StepReview, "the reviewer reported that it failed: "+r.Summary)
	}
	findings = append(findings, machine.Missing(m.s.Spec.Criteria, r.Criteria)...)
	var checks []machine.Finding
	for _, f := range m.s.FinalReview.Findings {
		if f.Overridden || (f.Source != "reviewer" && f.Source != "criterion") {
			checks = append(checks, f)
		}
	}
	p := phase(m.s)
	p.Tries, p.Failure, p.Remark = 0, "", ""
	m.s.FinalReview.Findings, m.s.FinalReview.Criteria = append(checks, findings...), r.Criteria
	bad := machine.Blocking(m.s.FinalReview.Findings, m.s.RigorLevel)
	if len(bad) == 0 {
		m.s.FinalReview.Status = "passed"
		return m.edge(machine.Reviewed)
	}
	m.s.Step = machine.StepReview
	m.askFix(machine.GateFinalBlocking, fmt.Sprintf("The final review has %s.", machine.Plural(len(bad), "blocking finding", "blocking findings")),
		bad, m.s.FinalReview.RetryCount, "the final review")
	return nil
}
