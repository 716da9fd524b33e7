package machine

import (
	"slices"
)

// Closing lists the closing steps of DONE in their order; each is recorded when it is done, so that a session that
// was stopped in between, or closed when the list was shorter, finishes the rest.
var Closing = []string{"summary", "handoff", "learnings", "roadmap", "pr"}

// closing is DONE: the closing steps, and the way back to work where the spec gained phases.
type closing struct{ *move }

func (m closing) inDone() error {
	if m.e.Type == PhasesAdded {
		return m.extended()
	}
	if nextClosing(*m.s) == "" {
		return m.illegal("every closing step is done")
	}
	if is, err := committing(m).effectBeside(); is {
		return err
	}
	if m.e.Step == "" || m.e.Step != nextClosing(*m.s) {
		return m.illegal("closing step " + m.e.Step + " is not the next one")
	}
	m.s.ClosingDone = append(m.s.ClosingDone, m.e.Step)
	if nextClosing(*m.s) == "" {
		m.s.Step = StepClosed
	}
	return nil
}

func nextClosing(s State) string {
	for _, step := range Closing {
		if !slices.Contains(s.ClosingDone, step) {
			return step
		}
	}
	return ""
}

// extended goes on with the phases that the spec of a finished session gained, unless it changed in finished ones too:
// then a human decides first.
func (m closing) extended() error {
	if m.e.Spec == nil {
		return m.illegal("it carries no spec")
	}
	m.s.Reread = &Reread{Spec: *m.e.Spec, Phases: m.e.Phases}
	if touched := touched(m.s, m.e.Phases); len(touched) > 0 {
		scoping(m).askChanged(touched)
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

// goOnWith takes a finished session back to work on a phase that its spec gained.
func (m scoping) goOnWith(next int) error {
	m.s.CurrentPhase, m.s.Tasks = next, nil
	m.s.FinalReview = FinalReviewed{Status: "pending", Dispatches: m.s.FinalReview.Dispatches, Fixes: m.s.FinalReview.Fixes}
	return m.edge(Extended)
}

// completing is PHASE_COMPLETE.
type completing struct{ *move }

func (m completing) inPhaseComplete() error {
	if is, err := committing(m).effectBeside(); is {
		return err
	}
	p := phase(m.s)
	entry := HistoryEntry{
		Phase: m.s.CurrentPhase, Name: p.Name, CompletedAt: m.e.Time, VerificationPassed: p.Verification,
		Outcome: "complete", ReviewFindings: Count(p.Findings), Usage: m.s.Usage.Minus(p.UsageAtStart),
	}
	if p.StartedAt != nil {
		entry.StartedAt = *p.StartedAt
	}
	for _, t := range m.s.Tasks {
		if t.Status == TaskCompleted {
			entry.TasksCompleted++
		}
		entry.RetriesUsed += t.failures()
	}
	p.LeastTask, p.MostTask = spread(m.s.Tasks)
	switch {
	case p.Status == PhaseSkip:
		entry.Outcome = "skipped"
	case p.Overridden || (p.Verification != nil && !*p.Verification):
		entry.Outcome = "failed"
	}
	if p.Status != PhaseSkip {
		p.Status = PhaseDone
	}
	m.s.History = append(m.s.History, entry)
	m.s.Step = StepContinue
	m.askContinue(entry)
	return nil
}

func (m completing) askContinue(entry HistoryEntry) {
	var context []string
	if n := len(m.s.History); n > 1 && entry.Outcome == "failed" && m.s.History[n-2].Outcome == "failed" {
		context = append(context, "Two phases in a row failed. It may be worth reading the spec again before going on.")
	}
	m.ask(GateContinue, gateOptions[GateContinue], continueQuestion(m.s), context...)
}

// goOn leaves a finished phase: to the next one, or to the final review.
func (m answering) goOn() error {
	m.s.Tasks, m.s.Checkpoints, m.s.CurrentTask = nil, nil, ""
	next, ok := nextPhase(m.s)
	if !ok {
		return m.edge(PhasesDone)
	}
	m.s.CurrentPhase = next
	return m.edge(NextPhase)
}
