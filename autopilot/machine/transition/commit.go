package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

func effectInFlight(s *machine.State) *machine.Effect {
	if len(s.InFlight) == 0 {
		return nil
	}
	return s.InFlight[0].Effect
}

func (m committing) effectIntended() error {
	if m.e.Effect == nil || m.e.Effect.Key == "" {
		return m.illegal("it names no effect")
	}
	if old := effectInFlight(m.s); old != nil && old.Resolve != machine.EffectRepeat && old.Parent != m.e.Effect.Parent {
		return m.illegal("another effect is in flight")
	}
	effect := *m.e.Effect
	m.s.InFlight = []machine.InFlight{{Effect: &effect}}
	return nil
}

// effectDone ends a commit that belongs to no task.
func (m committing) effectDone(next machine.StepName) error {
	if effectInFlight(m.s) == nil && m.e.Commit != "" {
		return m.illegal("no effect is in flight")
	}
	m.s.InFlight, m.s.Step = nil, next
	return nil
}

// commitRefused asks a human about a commit that belongs to no task.
func (m committing) commitRefused() error {
	m.s.InFlight = nil
	m.ask(machine.GateBlocked, fmt.Sprintf("The commit was refused: %s", m.e.Detail))
	return nil
}

// outside takes the events of a commit that belongs to no task; then is the step behind it.
func (m committing) outside(then machine.StepName) error {
	switch m.e.Type {
	case machine.EffectIntended:
		return m.effectIntended()
	case machine.EffectDone:
		return m.effectDone(then)
	}
	return m.commitRefused()
}

// effectBeside is a commit beside what the step is about. A hook's no is nobody's question: the step goes on without.
func (m committing) effectBeside() (is bool, err error) {
	switch m.e.Type {
	case machine.EffectIntended:
		return true, m.effectIntended()
	case machine.EffectDone:
		return true, m.effectDone(m.s.Step)
	case machine.CommitRefused:
		m.s.InFlight = nil
		return true, nil
	}
	if effectInFlight(m.s) != nil {
		return true, m.illegal("a commit is in flight")
	}
	return false, nil
}
