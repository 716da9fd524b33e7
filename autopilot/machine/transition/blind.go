package transition

import "autopilot/autopilot/machine"

// toVerifier goes on after the project's commands passed. With blind checks, these come first: they are written once per phase, and
// run again after each fix.
func (m verifying) toVerifier() {
	p := phase(m.s)
	m.s.Step = machine.StepVerifier
	switch {
	case !m.e.Blind:
	case p.Blind == nil:
		m.s.Step = machine.StepBlind
	default:
		m.runBlind(p.Blind.Renewed())
	}
}

// runBlind stores a reading, and runs its checks next if it has any.
func (m verifying) runBlind(b machine.Blind) {
	phase(m.s).Blind = &b
	m.s.Step = machine.StepVerifier
	if len(b.With("")) > 0 {
		m.s.Step = machine.StepBlindChecks
	}
}

// blindEnded stores the checks of the reply. Without a usable reply it retries once, then goes on without blind checks: a missing
// second opinion must not stop a run.
func (m verifying) blindEnded() error {
	d, err := dispatching(m).spent(machine.StepBlind)
	if d == nil {
		return err
	}
	p, end, b := phase(m.s), m.e.Ended, machine.Blind{}
	if p.Blind != nil {
		b = *p.Blind
	}
	if end.Used != nil {
		b.Tokens += end.Used.InputTokens + end.Used.OutputTokens
	}
	if !d.At.IsZero() {
		b.Seconds += m.e.Time.Sub(d.At).Seconds()
	}
	usable := end.Outcome == machine.OutcomeReply && end.Reply != nil && end.Reply.Status == "done" && len(machine.Blocking(end.Findings, machine.Standard)) == 0
	switch {
	case usable:
		b = b.Read(*end.Reply)
	case p.Tries == 0:
		p.Tries, p.Failure, m.s.Step = 1, said(end), machine.StepBlind
		return nil
	default:
		b.Why = "two dispatches in a row produced nothing usable"
	}
	p.Tries, p.Failure = 0, ""
	m.runBlind(b)
	return nil
}

// blindChecked stores the results. Checks that could not run go back to their author once.
func (m verifying) blindChecked() error {
	if m.e.Reading == nil {
		return m.illegal("it has no reading")
	}
	b := *m.e.Reading
	m.s.Step = machine.StepVerifier
	if !b.Back && len(b.With(machine.CheckCouldNot)) > 0 {
		b.Back, m.s.Step = true, machine.StepBlind
	}
	phase(m.s).Blind = &b
	return nil
}
