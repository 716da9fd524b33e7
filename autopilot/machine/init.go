package machine

import (
	"slices"
)

func (m *move) inInit() error {
	if m.e.Type == Branched {
		m.s.Branch, m.s.Bases, m.s.StackedOn, m.s.Step = m.e.Branch, m.e.Bases, m.e.StackedOn, StepBaseline
		if m.s.StartingCommit == "" {
			m.s.StartingCommit = m.e.Commit
		}
		return nil
	}
	m.s.Baseline = m.e.Baseline
	if m.s.Baseline != nil {
		if could := checksWith(m.s.Baseline.Checks, CheckCouldNot, CheckTimedOut); len(could) > 0 {
			m.askRed("Before any change, these commands could not be checked: "+commands(could)+". Go on without them?", could)
			m.s.Gate.Context = append(m.s.Gate.Context, mendFirst)
			return nil
		}
	}
	return m.edge(Initialised)
}

// mendFirst is the way of a human who would rather have the commands: nothing is lost with a session at its beginning.
const mendFirst = "to have them instead: stop, install what is missing or name other commands under validate.commands in autopilot.yaml, " +
	"then begin anew with --restart"

func (m *move) askRed(question string, checks []Check) {
	m.ask(GateBaselineRed, gateOptions[GateBaselineRed], question, details(checks)...)
}

// goOnRed accepts the commands that the baseline could not show green, until each first passes.
func (m *move) goOnRed(gate Gate) error {
	if gate.State == Init {
		m.accept(checksWith(m.s.Baseline.Checks, CheckCouldNot, CheckTimedOut))
		return m.edge(Initialised)
	}
	m.accept(checksWith(m.phase().Checks, CheckBaselineRed))
	return nil
}

func (m *move) accept(checks []Check) {
	for _, c := range checks {
		if name := c.name(); !slices.Contains(m.s.AcceptedRed, name) {
			m.s.AcceptedRed = append(m.s.AcceptedRed, name)
		}
	}
}

// settle takes commands that pass now off the list of those a human went on without, and lists flaky tests.
func (m *move) settle(checks []Check) {
	m.noteFlakes(checks)
	for _, c := range checksWith(checks, CheckPassed) {
		m.s.AcceptedRed = slices.DeleteFunc(m.s.AcceptedRed, func(name string) bool { return name == c.name() })
	}
}

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
