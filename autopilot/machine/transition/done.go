package transition

import (
	"fmt"

	"autopilot/autopilot/machine"
)

func (m closing) inDone() error {
	if m.e.Type == machine.PhasesAdded {
		return m.extended()
	}
	if machine.NextClosing(*m.s) == "" {
		return m.illegal("every closing step is done")
	}
	if is, err := committing(m).effectBeside(); is {
		return err
	}
	if m.e.Step == "" || m.e.Step != machine.NextClosing(*m.s) {
		return m.illegal("closing step " + m.e.Step + " is not the next one")
	}
	m.s.ClosingDone = append(m.s.ClosingDone, m.e.Step)
	if machine.NextClosing(*m.s) == "" {
		m.s.Step = machine.StepClosed
	}
	return nil
}

// extended goes on with the phases that the spec of a finished session gained, unless it changed in finished ones too:
// then a human decides first.
func (m closing) extended() error {
	if m.e.Spec == nil {
		return m.illegal("it carries no spec")
	}
	if scoping(m).askChanged() {
		return nil
	}
	if err := scoping(m).takeSpec(); err != nil {
		return err
	}
	next, ok := nextPhase(m.s)
	if !ok {
		return m.illegal("no phase was added")
	}
	return scoping(m).goOnWith(next)
}

// askAnew rewords a question to go on, open or waiting, whose next phase may be another now; its id stays.
func askAnew(s *machine.State) {
	reword := func(g *machine.Gate) {
		if g != nil && g.Kind == machine.GateContinue {
			g.Question = continueQuestion(s)
		}
	}
	reword(s.Gate)
	for i := range s.Suspended {
		reword(&s.Suspended[i])
	}
}

// continueQuestion asks whether to go on to what comes after the current phase.
func continueQuestion(s *machine.State) string {
	p := phase(s)
	outcome := p.Status
	for _, h := range s.History {
		if h.Phase == s.CurrentPhase {
			outcome = h.Outcome
		}
	}
	if next, ok := nextPhase(s); ok {
		n := s.Phases[next]
		return fmt.Sprintf("Phase %s (%s) %s. Go on to phase %s: %s%s?", p.Number, p.Name, machine.OutcomeWords(outcome), n.Number, n.Name, effort(s, n))
	}
	return fmt.Sprintf("Phase %s (%s) %s. Go on to the final review?", p.Number, p.Name, machine.OutcomeWords(outcome))
}

// effort says how complex a phase is, and whether it waits for a human's plan. An older program said neither.
func effort(s *machine.State, p machine.Phase) string {
	switch {
	case s.Edition < 1:
		return ""
	case p.PlanPath == "" && (p.Complexity == machine.High || p.PlanWanted):
		return fmt.Sprintf(" (%s complexity: the run pauses there for your plan)", p.Complexity)
	}
	return fmt.Sprintf(" (%s complexity)", p.Complexity)
}

func (m completing) inPhaseComplete() error {
	if is, err := committing(m).effectBeside(); is {
		return err
	}
	p := phase(m.s)
	entry := machine.HistoryEntry{
		Phase: m.s.CurrentPhase, Name: p.Name, CompletedAt: m.e.Time, VerificationPassed: p.Verification,
		Outcome: "complete", ReviewFindings: machine.Count(p.Findings), Usage: m.s.Usage.Minus(p.UsageAtStart),
	}
	if p.StartedAt != nil {
		entry.StartedAt = *p.StartedAt
	}
	skipped := false
	for _, t := range m.s.Tasks {
		if t.Status == machine.TaskCompleted {
			entry.TasksCompleted++
		}
		entry.RetriesUsed += retries(m.s, t)
		skipped = skipped || t.Status == machine.TaskSkipped && t.Needed(m.s.RigorLevel)
	}
	p.LeastTask, p.MostTask = machine.Spread(m.s.Tasks)
	switch {
	case p.Status == machine.PhaseSkip:
		entry.Outcome = "skipped"
	case skipped, p.Overridden, p.Verification != nil && !*p.Verification:
		entry.Outcome = "failed"
	}
	if p.Status != machine.PhaseSkip {
		p.Status = machine.PhaseDone
	}
	m.s.History = append(m.s.History, entry)
	m.s.Step = machine.StepContinue
	m.askContinue(entry)
	return nil
}

// retries counts those of a task. An older program counted attempts that failed, the last one too.
func retries(s *machine.State, t machine.Task) int {
	if s.Edition < 1 {
		return len(t.Failures())
	}
	return t.Retries()
}

func (m completing) askContinue(entry machine.HistoryEntry) {
	var context []string
	if n := len(m.s.History); n > 1 && entry.Outcome == "failed" && m.s.History[n-2].Outcome == "failed" {
		context = append(context, "Two phases in a row failed. It may be worth reading the spec again before going on.")
	}
	g := m.ask(machine.GateContinue, continueQuestion(m.s), append(context, m.s.Register.Open().Lines()...)...)
	if p := phase(m.s); p.Status == machine.PhaseSkip || p.ReviewFixes >= machine.MaxFixes || len(m.s.ToFix()) == 0 {
		dropFix(g)
	}
}
