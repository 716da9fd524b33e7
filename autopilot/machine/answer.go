package machine

// answering does what a human's answer stands for.
type answering struct{ *move }

// answered closes the gate: the answer, its decision and its transition are one event.
func (m answering) answered() error {
	gate := m.s.Gate
	if gate == nil || m.e.Answer == nil {
		return &AnswerError{Reason: "no question is open"}
	}
	o, err := gate.Check(*m.e.Answer)
	if err != nil {
		return err
	}
	m.decide(string(gate.Kind)+": "+o.Name, m.e.Answer.Reason, m.e.Answer.By).Gate = gate.ID
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

// resumeGate brings back the question that had to wait, where no other is open.
func resumeGate(s *State) {
	if s.Gate != nil || len(s.Suspended) == 0 || s.LanesBusy() {
		return
	}
	last := len(s.Suspended) - 1
	gate := s.Suspended[last]
	s.Gate, s.Suspended = &gate, s.Suspended[:last]
}

// effectOf does what the chosen option stands for.
func (m answering) effectOf(gate Gate, o Option) error {
	reason := m.e.Answer.Reason
	switch o.Effect {
	case effectRetry:
		m.remark(reason)
		phase(m.s).Tries = 0
		return nil
	case effectFind:
		m.s.Step = StepFind
		return nil
	case effectApprove:
		phase(m.s).Skeleton, m.s.Step = "approved", StepPlan
		return nil
	case effectPass, effectChoose, effectRedoFix:
		return tasking(m).checkpointAnswered(gate, o)
	case effectRescue:
		m.s.Step, m.s.CurrentTask = StepRescue, firstFailed(m.s)
		return nil
	case effectRecheck:
		if m.s.Step = StepHumanCommit; m.s.CurrentState == FinalReview {
			m.byHand()
		}
		return nil
	case effectKeep:
		return scoping(m).keepSpec()
	case EffectAdopt, effectRepeat:
		return m.resolve(o.Effect)
	case effectGoOn:
		return m.goOnRed(gate)
	case effectUnpause:
		m.s.PausedAt = m.s.Usage.Dispatches
		return nil
	}
	return m.edgeOf(gate, Edge(o.Effect), reason)
}

// edgeOf takes the edge that an option stands for, with what belongs to it.
func (m answering) edgeOf(gate Gate, e Edge, reason string) error {
	p := phase(m.s)
	switch e {
	case Approved:
		approving(m).approve(&m.s.Decisions[len(m.s.Decisions)-1])
	case Revise:
		p.Remark = reason
		for _, r := range gate.Refused { // why the plan cannot be run, for the planner
			p.Remark += "\n" + r.Why
		}
		if gate.Kind == GateApproveSkeleton {
			m.s.Step = StepSkeleton
			return nil
		}
	case PhaseSkipped:
		p.Status = PhaseSkip
	case VerificationSkipped:
		no := false
		p.Verification = &no
		p.Findings = overrule(p.Findings, m.s.RigorLevel)
	case Overridden:
		if m.s.CurrentState == FinalReview {
			m.s.FinalReview.Status = "overridden"
			m.s.FinalReview.Findings = overrule(m.s.FinalReview.Findings, m.s.RigorLevel)
		} else {
			p.Overridden = true
			p.Findings = overrule(p.Findings, m.s.RigorLevel)
		}
	case Fix:
		return m.fix()
	case NextPhase:
		return m.goOn()
	case Redo:
		return scoping(m).redoChanged(m.e.Answer.Phase)
	}
	return m.edge(e)
}

// remark keeps a human's words for the next dispatch of the task or the phase that the gate was about.
func (m answering) remark(reason string) {
	if reason == "" {
		return
	}
	if t := find(m.s.Tasks, m.before.Gate.Task); t != nil {
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
	m.s.InFlight = []InFlight{{Effect: &effect}}
	return nil
}
