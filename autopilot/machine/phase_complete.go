package machine

func (m *move) inPhaseComplete() error {
	if is, err := m.effectBeside(); is {
		return err
	}
	p := m.phase()
	entry := HistoryEntry{
		Phase: m.s.CurrentPhase, Name: p.Name, CompletedAt: m.e.Time, VerificationPassed: p.Verification,
		Outcome: "complete", ReviewFindings: Count(p.Findings), Usage: m.s.Usage.Minus(p.UsageAtStart),
	}
	if p.StartedAt != nil {
		entry.StartedAt = *p.StartedAt
	}
	for _, t := range m.s.Tasks {
		if t.Status == TaskCompleted {
			entry.TasksCompleted++
		}
		entry.RetriesUsed += t.failures()
	}
	p.LeastTask, p.MostTask = spread(m.s.Tasks)
	switch {
	case p.Status == PhaseSkip:
		entry.Outcome = "skipped"
	case p.Overridden || (p.Verification != nil && !*p.Verification):
		entry.Outcome = "failed"
	}
	if p.Status != PhaseSkip {
		p.Status = PhaseDone
	}
	m.s.History = append(m.s.History, entry)
	m.s.Step = StepContinue
	m.askContinue(entry)
	return nil
}

func (m *move) askContinue(entry HistoryEntry) {
	var context []string
	if n := len(m.s.History); n > 1 && entry.Outcome == "failed" && m.s.History[n-2].Outcome == "failed" {
		context = append(context, "Two phases in a row failed. It may be worth reading the spec again before going on.")
	}
	m.ask(GateContinue, gateOptions[GateContinue], m.continueQuestion(), context...)
}

// goOn leaves a finished phase: to the next one, or to the final review.
func (m *move) goOn() error {
	m.s.Tasks, m.s.Checkpoints, m.s.CurrentTask = nil, nil, ""
	next, ok := m.nextPhase()
	if !ok {
		return m.edge(PhasesDone)
	}
	m.s.CurrentPhase = next
	return m.edge(NextPhase)
}
