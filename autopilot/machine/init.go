package machine

import (
	"slices"
)

// starting is INIT, and ASSESS, where each phase begins.
type starting struct{ *move }

func (m starting) inInit() error {
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
			m.ask(GateBaselineRed, gateOptions[GateBaselineRed],
				"Before any change, these commands could not be checked: "+commands(could)+". Go on without them?", append(details(could), mendFirst)...)
			return nil
		}
	}
	return m.edge(Initialised)
}

// mendFirst is the way of a human who would rather have the commands: nothing is lost with a session at its beginning.
const mendFirst = "to have them instead: stop, install what is missing or name other commands under validate.commands in autopilot.yaml, " +
	"then begin anew with --restart"

// goOnRed accepts the commands that the baseline could not show green, until each first passes.
func (m answering) goOnRed(gate Gate) error {
	if gate.State == Init {
		m.s.AcceptedRed = union(m.s.AcceptedRed, names(checksWith(m.s.Baseline.Checks, CheckCouldNot, CheckTimedOut)))
		return m.edge(Initialised)
	}
	m.s.AcceptedRed = union(m.s.AcceptedRed, names(checksWith(phase(m.s).Checks, CheckBaselineRed)))
	return nil
}

// settle takes commands that pass now off the list of those a human went on without, and lists flaky tests; task is whose
// the checks are, "" of none.
func settle(s *State, task string, checks []Check) {
	noteFlakes(s, task, checks)
	for _, c := range checksWith(checks, CheckPassed) {
		s.AcceptedRed = slices.DeleteFunc(s.AcceptedRed, func(name string) bool { return name == c.name() })
	}
}

func (m starting) enterAssess() {
	m.s.Step = StepLook
	p := phase(m.s)
	if p.Status == PhasePending || p.StartedAt == nil {
		now := m.e.Time
		p.StartedAt, p.UsageAtStart = &now, m.s.Usage
	}
	p.Status = PhaseInProgress
}

func (m starting) inAssess() error {
	p := phase(m.s)
	if p.StartCommit == "" {
		p.StartCommit = m.e.Commit
	}
	if m.e.Plan == nil || len(m.e.Plan.Tasks) == 0 {
		return m.edge(PlanNeeded)
	}
	readPlan(m.s, m.e.Plan)
	return m.edge(PlanFound)
}
