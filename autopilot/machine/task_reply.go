package machine

// diagnosed takes a diagnosis, in place of an older one; without one the retry goes on all the same.
func (m tasking) diagnosed() error {
	d, err := dispatching(m).spent(StepDiagnose)
	if d == nil {
		return err
	}
	t, end := m.current(), m.e.Ended
	t.Diagnosis, t.DiagnosedAfter = noDiagnosis, t.failures()
	t.keep(end.Findings)
	if end.Reply != nil && len(Blocking(end.Findings, Standard)) == 0 {
		t.Diagnosis = end.Reply.Summary
		for _, f := range end.Reply.Findings {
			t.Diagnosis += "\n- " + f.String()
		}
	}
	*m.at() = StepDispatch
	return nil
}

func (m tasking) taskReplied() error {
	if t := m.current(); t != nil {
		t.Claimed = union(t.Claimed, m.e.Claimed)
	}
	d, err := dispatching(m).spent(StepDispatch)
	if d == nil {
		return err
	}
	end, t := m.e.Ended, m.current()
	if end.Outcome == OutcomeInterrupted {
		return m.attemptFailed("SESSION_TIMEOUT", "it was cut off three times", "")
	}
	t.Remark, m.s.Notes = "", nil
	t.keep(end.Findings)
	if misdeeds := Blocking(end.Findings, Standard); len(misdeeds) > 0 {
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
		return m.attemptFailed(orElse(category, "TASK_EXEC"), "the agent reported that it failed: "+end.Reply.why(), end.Reply.Summary)
	case end.Reply.Status == "blocked":
		*m.at() = StepDispatch
		dispatching(m).askBlocked(d, end.Reply.why())
		return nil
	}
	t.Findings = append(t.Findings, fromPersona(end.Reply.Findings, "executor")...)
	*m.at() = StepValidate
	return nil
}
