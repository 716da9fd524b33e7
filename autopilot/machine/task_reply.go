package machine

import "fmt"

// diagnosed takes a diagnosis, in place of an older one; without one the retry goes on all the same.
func (m *move) diagnosed() error {
	d, err := m.finishDispatch()
	if err != nil {
		return err
	}
	t, end := m.current(), m.e.Ended
	switch end.Outcome {
	case OutcomeLimited, OutcomeAuth, OutcomeNotMade:
		*m.at() = StepDiagnose
		m.limited(d)
		return nil
	case OutcomeInterrupted:
		*m.at() = StepDiagnose
		t.Interruptions, t.Cuts = t.Interruptions+1, t.Cuts+1
		if t.Cuts < maxInterruptions {
			return nil
		}
	}
	m.counted(d)
	t.Diagnosis, t.DiagnosedAfter = noDiagnosis, t.failures()
	t.keep(end.Findings)
	if end.Reply != nil && len(blocking(end.Findings, Standard)) == 0 {
		t.Diagnosis = end.Reply.Summary
		for _, f := range end.Reply.Findings {
			t.Diagnosis += "\n- " + f.String()
		}
	}
	*m.at() = StepDispatch
	return nil
}

func (m *move) taskReplied() error {
	d, err := m.finishDispatch()
	if err != nil {
		return err
	}
	end, t := m.e.Ended, m.task(d.Task)
	t.Claimed = union(t.Claimed, m.e.Claimed)
	switch end.Outcome {
	case OutcomeLimited, OutcomeAuth, OutcomeNotMade:
		*m.at() = StepDispatch
		m.limited(d)
		return nil
	case OutcomeWaiting:
		*m.at() = StepDispatch
		m.waits(fmt.Sprintf("Task %s is blocked: %s", t.Title, end.Detail))
		return nil
	case OutcomeInterrupted:
		t.Interruptions, t.Cuts = t.Interruptions+1, t.Cuts+1
		*m.at() = StepDispatch
		if t.Cuts < maxInterruptions {
			return nil
		}
		m.counted(d)
		return m.attemptFailed("SESSION_TIMEOUT", "it was cut off three times", "")
	}
	m.counted(d)
	t.Remark, m.s.Notes = "", nil
	t.keep(end.Findings)
	if misdeeds := blocking(end.Findings, Standard); len(misdeeds) > 0 {
		return m.attemptFailed("TASK_EXEC", "the agent changed what it may not change: "+titles(misdeeds), "")
	}
	switch {
	case end.Lost && m.lane != nil:
		return m.laneLost(t)
	case end.Outcome == OutcomeTimedOut:
		return m.attemptFailed("TIMEOUT", end.Detail, "")
	case end.Outcome != OutcomeReply || end.Reply == nil:
		return m.attemptFailed("TASK_EXEC", end.said(), "")
	case end.Reply.Status == "failed":
		category, _ := m.s.ChecksAgainst(m.e.Checks)
		return m.attemptFailed(orElse(category, "TASK_EXEC"), "the agent reported that it failed: "+orElse(end.Reply.Blocker, end.Reply.Summary), end.Reply.Summary)
	case end.Reply.Status == "blocked":
		*m.at() = StepDispatch
		m.ask(GateBlocked, blockedOptions(m.s.CurrentState),
			fmt.Sprintf("Task %s is blocked: %s", t.Title, orElse(end.Reply.Blocker, end.Reply.Summary)))
		return nil
	}
	t.Findings = append(t.Findings, fromPersona(end.Reply.Findings, "executor")...)
	*m.at() = StepValidate
	return nil
}
