package machine

import (
	"fmt"
	"slices"
)

// finalReviewing is FINAL_REVIEW, with its rounds of fixes.
type finalReviewing struct{ *move }

// enterFinalReview begins the review of the whole change, once what passed in earlier phases was run again, or the steps
// of its fix tasks.
func (m finalReviewing) enterFinalReview() {
	switch {
	case m.took == Fix:
		m.s.Step = StepPick
	case len(m.s.PassedBefore()) > 0:
		m.s.Step = StepCommands
	default:
		m.s.Step = StepReview
	}
}

// PassedBefore are the commands that passed in an earlier phase and were no part of the last one's verification: a later
// phase may have broken what they show. Each is there once, in the order of the phases.
func (s State) PassedBefore() []Check {
	known := map[string]bool{}
	for _, c := range s.Phases[s.CurrentPhase].Checks {
		known[c.name()] = true
	}
	var list []Check
	for i, p := range s.Phases {
		if i == s.CurrentPhase || p.Status != PhaseDone {
			continue
		}
		for _, c := range p.Checks {
			if c.Outcome == CheckPassed && c.Source != ScriptSource && !known[c.name()] {
				known[c.name()] = true
				list = append(list, c)
			}
		}
	}
	return list
}

func (m finalReviewing) inFinalReview() error {
	switch m.e.Type {
	case TasksFinished:
		if len(openTasks(m.s)) > 0 {
			return m.illegal("tasks are open")
		}
		m.s.Step = StepCommands
		return nil
	case Checked:
		return m.finalChecked()
	case DispatchEnded:
		if m.s.Step == StepReviewReply {
			return dispatching(m).ended(StepReview, m.finalReplied)
		}
	case EffectDone:
		if m.s.Step == StepRecoveryCommit || m.s.Step == StepHumanCommit {
			return committing(m).effectDone(StepCommands)
		}
	}
	return tasking(m).inTasks()
}

// finalTasks makes the tasks of a fix round: completed ones of earlier rounds stay, and numbers go on even from those
// that go, so that no task is taken for another.
func (m answering) finalTasks() {
	m.fixTasks(KindFinalFix, Blocking(m.s.FinalReview.Findings, m.s.RigorLevel))
	m.s.Tasks = slices.DeleteFunc(m.s.Tasks, func(t Task) bool { return t.Status == TaskFailed })
}

// byHand marks the fixes that failed as a human's, so that the next review and not their old failure decides.
func (m answering) byHand() {
	for i := range m.s.Tasks {
		if t := &m.s.Tasks[i]; t.Status == TaskFailed {
			t.ByHuman = true
		}
	}
}

// finalChecked keeps what the commands say after a fix round; the reviewer is asked in any case.
func (m finalReviewing) finalChecked() error {
	settle(m.s, m.e.Task, m.e.Checks)
	bad := m.against()
	m.s.FinalReview.Findings = append(bad, overridden(m.s.FinalReview.Findings)...)
	for _, t := range m.s.Tasks {
		if t.Status == TaskFailed && !t.ByHuman {
			f := *t.Finding
			f.Severity, f.Source, f.Rationale = Critical, "check", "a fix failed on every attempt: "+t.lastError()
			m.s.FinalReview.Findings = append(m.s.FinalReview.Findings, f)
		}
	}
	m.s.Step, m.s.CurrentTask = StepReview, ""
	return nil
}

// finalReplied decides on the whole change: the findings, and each criterion of the spec.
func (m finalReviewing) finalReplied(r *Reply) error {
	findings := fromPersona(r.Findings, "reviewer")
	findings = append(findings, unmet(r.Criteria)...)
	if r.Status == "failed" && len(Blocking(findings, m.s.RigorLevel)) == 0 {
		return dispatching(m).retryOrAsk(StepReview, "the reviewer reported that it failed: "+r.Summary)
	}
	findings = append(findings, missing(m.s.Spec.Criteria, r.Criteria)...)
	var checks []Finding
	for _, f := range m.s.FinalReview.Findings {
		if f.Overridden || (f.Source != "reviewer" && f.Source != "criterion") {
			checks = append(checks, f)
		}
	}
	p := phase(m.s)
	p.Tries, p.Failure, p.Remark = 0, "", ""
	m.s.FinalReview.Findings, m.s.FinalReview.Criteria = append(checks, findings...), r.Criteria
	bad := Blocking(m.s.FinalReview.Findings, m.s.RigorLevel)
	if len(bad) == 0 {
		m.s.FinalReview.Status = "passed"
		return m.edge(Reviewed)
	}
	m.s.Step = StepReview
	m.askFix(GateFinalBlocking, fmt.Sprintf("The final review has %s.", Plural(len(bad), "blocking finding", "blocking findings")),
		bad, m.s.FinalReview.RetryCount, "the final review")
	return nil
}
