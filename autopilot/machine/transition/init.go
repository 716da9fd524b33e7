package transition

import "autopilot/autopilot/machine"

func (m starting) inInit() error {
	if m.e.Type == machine.Branched {
		m.s.Branch, m.s.Bases, m.s.StackedOn, m.s.Step = m.e.Branch, m.e.Bases, m.e.StackedOn, machine.StepBaseline
		if m.s.StartingCommit == "" {
			m.s.StartingCommit = m.e.Commit
		}
		return nil
	}
	m.s.Baseline = m.e.Baseline
	if m.s.Baseline != nil {
		if could := machine.ChecksWith(m.s.Baseline.Checks, machine.CheckCouldNot, machine.CheckTimedOut); len(could) > 0 {
			m.ask(machine.GateBaselineRed, "Before any change, these commands could not be checked: "+machine.Commands(could)+". Go on without them?", append(machine.Details(could), mendFirst)...)
			return nil
		}
	}
	return m.edge(machine.Initialised)
}

// mendFirst is the way of a human who would rather have the commands.
const mendFirst = "to have them run: install what is missing and answer retry; or stop, name other commands under validate.commands in " +
	"autopilot.yaml, resume, and answer retry"

func (m starting) enterAssess() {
	m.s.Step = machine.StepLook
	p := phase(m.s)
	if p.Status == machine.PhasePending || p.StartedAt == nil {
		now := m.e.Time
		p.StartedAt, p.UsageAtStart = &now, m.s.Usage
	}
	p.Status = machine.PhaseInProgress
}

func (m starting) inAssess() error {
	p := phase(m.s)
	if p.StartCommit == "" {
		p.StartCommit = m.e.Commit
	}
	if m.e.Plan == nil || len(m.e.Plan.Tasks) == 0 {
		return m.edge(machine.PlanNeeded)
	}
	readPlan(m.s, m.e.Plan)
	return m.edge(machine.PlanFound)
}
