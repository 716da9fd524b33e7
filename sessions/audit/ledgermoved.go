package audit

import (
	"slices"

	"autopilot/autopilot/machine"
)

// moved holds a transition between states against the records that it needs.
func (l *Ledger) moved(before machine.State, e machine.Event, after machine.State) {
	from, to := before.CurrentState, after.CurrentState
	switch {
	case from == machine.Verify && to == machine.Review:
		l.verified(before, e, after)
	case from == machine.Review && to == machine.PhaseComplete:
		c := l.about(ClaimReviewed, before, e)
		l.reviewed(&c, before, e)
		l.claim(c)
	case e.Type == machine.PhaseLeftOut, e.Type == machine.PhaseRedone: // said already
	case to == machine.Assess && e.Type == machine.Answered && before.Gate.Kind == machine.GateSpecChanged:
		c := l.about(ClaimRedone, after, e)
		c.mark("the spec changed, and " + e.Answer.By + " had it done again")
		l.claim(c)
	case to == machine.PhaseComplete:
		c := l.about(ClaimSkipped, before, e)
		c.mark("left out " + byWhom(&c, e))
		l.claim(c)
	case from == machine.FinalReview && to == machine.Done:
		l.finished(before, e, after)
	}
	if to == machine.Verify {
		l.verify = nil
	}
}

func (l *Ledger) about(kind ClaimKind, s machine.State, e machine.Event) Claim {
	p := s.Phases[s.CurrentPhase]
	return Claim{Kind: kind, Rev: e.Rev, Phase: s.CurrentPhase + 1, What: "phase " + p.Number + ", " + p.Name, Standing: Proven}
}

// chosen is what a human asked for beside any question, of a phase at a position.
func (l *Ledger) chosen(kind ClaimKind, why string, before machine.State, e machine.Event) {
	if e.Phase < 1 || e.Phase > len(before.Phases) {
		return
	}
	before.CurrentPhase = e.Phase - 1
	c := l.about(kind, before, e)
	c.mark(why)
	l.claim(c)
}

// undone marks the commits that an undo took off the branch, or the undone ones that are there again.
func (l *Ledger) undone(u machine.Undo) {
	for i := range l.Claims {
		switch c := &l.Claims[i]; {
		case c.Kind != ClaimCommit:
		case u.Back && c.Undone == u.State.Revision:
			c.Undone = 0
		case !u.Back && c.Undone == 0 && c.Rev > u.State.Revision:
			c.Undone = u.Rev
		}
	}
}

// byWhom says who decided what a claim says of itself. A decision that nobody gave a reason for is in doubt.
func byWhom(c *Claim, e machine.Event) string {
	if e.Answer == nil {
		c.doubt("no answer led to it")
		return ""
	}
	if e.Answer.Reason == "" {
		c.doubt(e.Answer.Option + " wants a reason, and there is none")
	}
	return "by " + e.Answer.By + ": " + e.Answer.Reason
}

// verified is a phase that left VERIFY: the commands passed and, above fast, the verifier has no objection.
func (l *Ledger) verified(before machine.State, e machine.Event, after machine.State) {
	c := l.about(ClaimVerified, before, e)
	defer func() { l.claim(c) }()
	if e.Type == machine.Answered {
		c.mark("not verified: skipped " + byWhom(&c, e))
		return
	}
	commands := l.lastAt(machine.StepCommands)
	if commands == nil {
		c.doubt("there is no record of its commands")
		return
	}
	c.Record = commands.Rev
	c.doubt(commands.against)
	if !commands.Waived {
		c.doubt(commands.lacks(ownValidations(before.Tasks)))
	}
	switch unverified := after.Phases[before.CurrentPhase].Unverified; {
	case unverified:
		c.mark("unverified: " + lastUnverified(after.Decisions))
	case !machine.Passing(commands.Checks):
		c.doubt("nothing passed, and it is not marked as unverified")
	}
	if before.RigorLevel == machine.Thorough {
		clean := l.lastAt(machine.StepClean)
		if clean == nil || clean.Rev < commands.Rev {
			c.doubt("there is no record of its commands in a clean working tree")
		} else {
			c.doubt(clean.against)
		}
	}
	if before.RigorLevel != machine.Fast {
		c.doubt(l.objection(before, e, "verifier"))
	}
}

func (l *Ledger) lastAt(step machine.StepName) *Proof {
	for _, p := range slices.Backward(l.verify) {
		if p.Step == step {
			return &p
		}
	}
	return nil
}

func ownValidations(tasks []machine.Task) []string {
	var list []string
	for _, t := range tasks {
		if t.Kind == machine.KindPlan && t.Status != machine.TaskSkipped && t.Validation != "" && !t.ValidationNone {
			list = append(list, t.Validation)
		}
	}
	return list
}

func lastUnverified(decisions []machine.Decision) string {
	for _, d := range slices.Backward(decisions) {
		if d.Decision == "unverified" {
			return d.Reason
		}
	}
	return "there was nothing to run"
}

// objection is what a persona's reply, the event at hand, has against what rests on it.
func (l *Ledger) objection(s machine.State, e machine.Event, persona string) string {
	if e.Type != machine.DispatchEnded || l.reply == nil || l.reply.Reply == nil || l.reply.Dispatch.Persona != persona {
		return "there is no reply of the " + persona
	}
	return l.reply.Reply.Against(persona, s.RigorLevel)
}

// reviewed is a phase, or the whole change, that left its review.
func (l *Ledger) reviewed(c *Claim, before machine.State, e machine.Event) {
	if e.Type == machine.Answered {
		c.mark("overridden " + byWhom(c, e))
		return
	}
	c.doubt(l.objection(before, e, "reviewer"))
	if l.reply != nil {
		c.Record = e.Rev
	}
}

// finished is the session that is done: no phase is open, and the final review let it pass.
func (l *Ledger) finished(before machine.State, e machine.Event, after machine.State) {
	c := Claim{Kind: ClaimDone, Rev: e.Rev, What: "the session is done", Standing: Proven}
	l.reviewed(&c, before, e)
	for _, p := range after.Phases {
		if !p.Over() {
			c.doubt("phase " + p.Number + " is not finished")
		}
	}
	l.claim(c)
}
