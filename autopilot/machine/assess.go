package machine

func (m *move) enterAssess() {
	m.s.Step = StepLook
	p := m.phase()
	if p.Status == PhasePending || p.StartedAt == nil {
		now := m.e.Time
		p.StartedAt, p.UsageAtStart = &now, m.s.Usage
	}
	p.Status = PhaseInProgress
}

func (m *move) inAssess() error {
	p := m.phase()
	if p.StartCommit == "" {
		p.StartCommit = m.e.Commit
	}
	if m.e.Plan == nil || len(m.e.Plan.Tasks) == 0 {
		return m.edge(PlanNeeded)
	}
	m.read(m.e.Plan)
	return m.edge(PlanFound)
}
