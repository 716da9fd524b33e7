package transition

import (
	"strings"

	"autopilot/autopilot/machine"
)

// answered closes the gate: the answer, its decision and its transition are one event.
func (m answering) answered() error {
	gate := m.s.Gate
	if gate == nil || m.e.Answer == nil {
		return &machine.AnswerError{Reason: "no question is open"}
	}
	o, err := gate.Check(*m.e.Answer)
	if err != nil {
		return err
	}
	if m.e.Answer.By == machine.ByAutoFix && len(m.e.Fix) > 0 {
		m.decide(machine.AutoFixDecision, strings.Join(m.e.Fix, ", "), machine.ByAutoFix).Gate = gate.ID
	} else {
		m.decide(gate.Called()+": "+o.Name, m.e.Answer.Reason, m.e.Answer.By).Gate = gate.ID
	}
	m.s.Gate = nil
	m.s.LeftOut = union(m.s.LeftOut, m.e.LeftOut)
	if err := m.effectOf(*gate, o); err != nil {
		return err
	}
	release(m.s)
	if m.took != "" {
		m.s.Suspended = nil
	}
	resumeGate(m.s)
	return nil
}

// effectOf does what the chosen option stands for.
func (m answering) effectOf(gate machine.Gate, o machine.Option) error {
	reason := m.e.Answer.Reason
	switch o.Effect {
	case machine.EffectRetry:
		m.remark(reason)
		phase(m.s).Tries = 0
		return nil
	case machine.EffectFind:
		if m.e.Detail != "" {
			phase(m.s).PlanHint, phase(m.s).Planning.Brought = m.e.Detail, true
		}
		m.s.Step = machine.StepFind
		return nil
	case machine.EffectApprove:
		phase(m.s).Skeleton, m.s.Step = "approved", machine.StepPlan
		return nil
	case machine.EffectPass, machine.EffectChoose, machine.EffectRedoFix:
		return tasking(m).checkpointAnswered(gate, o)
	case machine.EffectRescue:
		m.s.Step, m.s.CurrentTask = machine.StepRescue, firstFailed(m.s)
		return nil
	case machine.EffectRecheck:
		if m.s.Step = machine.StepHumanCommit; m.s.CurrentState == machine.FinalReview {
			m.byHand()
		}
		return nil
	case machine.EffectAfresh, machine.EffectDrop:
		return executing(m).goOnFrom(gate, o)
	case machine.EffectKeep:
		return scoping(m).keepSpec()
	case machine.EffectAdopt, machine.EffectRepeat:
		if gate.Kind == machine.GateAlreadyDone {
			return tasking(m).alreadyDone(gate, o)
		}
		return m.resolve(o.Effect)
	case machine.EffectCommit, machine.EffectIgnore, machine.EffectDiscard:
		return tasking(m).largeAnswered(gate, o)
	case machine.EffectGoOn:
		return m.goOnRed(gate)
	case machine.EffectUnpause:
		m.s.PausedAt = m.s.Usage.Dispatches
		return nil
	}
	return m.edgeOf(gate, machine.Edge(o.Effect), reason)
}

// edgeOf takes the edge that an option stands for, with what belongs to it.
func (m answering) edgeOf(gate machine.Gate, e machine.Edge, reason string) error {
	p := phase(m.s)
	switch e {
	case machine.Approved:
		approving(m).approve(&m.s.Decisions[len(m.s.Decisions)-1])
	case machine.Revise:
		p.Remark = reason
		for _, r := range gate.Refused { // why the plan cannot be run, for the planner
			p.Remark += "\n" + r.Why
		}
		if gate.Kind == machine.GateApproveSkeleton {
			m.s.Step = machine.StepSkeleton
			return nil
		}
	case machine.PhaseSkipped:
		p.Status = machine.PhaseSkip
	case machine.VerificationSkipped:
		no := false
		p.Verification = &no
		p.Findings = overrule(p.Findings, m.s.RigorLevel)
		for i := range m.s.Tasks {
			m.s.Tasks[i].Findings = overrule(m.s.Tasks[i].Findings, machine.Standard)
		}
	case machine.Overridden:
		if m.s.CurrentState == machine.FinalReview {
			m.s.FinalReview.Status = "overridden"
			m.s.FinalReview.Findings = overrule(m.s.FinalReview.Findings, m.s.RigorLevel)
		} else {
			p.Overridden = true
			p.Findings = overrule(p.Findings, m.s.RigorLevel)
		}
	case machine.Fix:
		return m.fix()
	case machine.NextPhase:
		return m.goOn()
	case machine.Redo:
		return scoping(m).redoChanged(m.e.Answer.Phase)
	}
	return m.edge(e)
}

// remark keeps a human's words for the next dispatch of the task or the phase that the gate was about.
func (m answering) remark(reason string) {
	if reason == "" {
		return
	}
	if t := machine.FindTask(m.s.Tasks, m.before.Gate.Task); t != nil {
		t.Remark = reason
		return
	}
	phase(m.s).Remark = reason
}

// resolve is a human's word on an effect that may or may not have happened.
func (m answering) resolve(word string) error {
	if effectInFlight(m.s) == nil {
		return m.illegal("no effect is in flight")
	}
	effect := *effectInFlight(m.s)
	effect.Resolve = word
	m.s.InFlight = []machine.InFlight{{Effect: &effect}}
	return nil
}

// goOn leaves a finished phase: to the next one, or to the final review.
func (m answering) goOn() error {
	m.s.Tasks, m.s.Checkpoints, m.s.CurrentTask = nil, nil, ""
	p := phase(m.s)
	p.Findings = registering(m).asRegistered(p.Findings)
	if p.Blind != nil {
		over := p.Blind.WithoutTexts()
		p.Blind = &over
	}
	next, ok := nextPhase(m.s)
	if !ok {
		return m.edge(machine.PhasesDone)
	}
	m.s.CurrentPhase = next
	return m.edge(machine.NextPhase)
}

// goOnRed accepts the commands that the baseline could not show green, until each first passes.
func (m answering) goOnRed(gate machine.Gate) error {
	if gate.State == machine.Init {
		m.s.AcceptedRed = union(m.s.AcceptedRed, machine.CommandNames(machine.ChecksWith(m.s.Baseline.Checks, machine.CheckCouldNot, machine.CheckTimedOut)))
		return m.edge(machine.Initialised)
	}
	m.s.AcceptedRed = union(m.s.AcceptedRed, machine.CommandNames(machine.ChecksWith(phase(m.s).Checks, machine.CheckBaselineRed)))
	return nil
}
