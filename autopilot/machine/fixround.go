package machine

import (
	"slices"
	"strings"
)

// ByAutoFix is who answers a question with fix by the configuration, and what that is recorded as.
const (
	ByAutoFix       = "fix.auto"
	AutoFixDecision = "auto_fix"
)

// ToFix are the open findings that a round of fixes is about now: what blocks and, but in VERIFY, all others that are no
// suggestion, no warning and not undone already.
func (s State) ToFix() Register {
	blocking := s.blocking()
	return slices.DeleteFunc(s.Register.Open(), func(e Entry) bool {
		left := s.CurrentState == Verify || e.Severity == Suggestion || e.Warning || e.Undone || e.Source == SourceSkipped || strings.HasPrefix(e.Title, notJudged)
		return !HasCause(blocking, e.Finding) && (left || e.Phase != s.reviewed())
	})
}

// blocking are the findings of the check or review at hand that block.
func (s State) blocking() []Finding {
	switch s.CurrentState {
	case FinalReview:
		return Blocking(s.FinalReview.Findings, s.RigorLevel)
	case Verify, Review:
		return Blocking(s.Phases[s.CurrentPhase].Findings, s.RigorLevel)
	}
	return nil
}

// reviewed is the position of the phase at hand, as the register has it: 0 is the final review.
func (s State) reviewed() int {
	if s.CurrentState == FinalReview {
		return 0
	}
	return s.CurrentPhase + 1
}

// AutoFix are the ids of what is to be fixed without a person: none where the phase, or the final review, had as many rounds
// already (below 0: one, and none at thorough), or where a finding is for a person to decide.
func (s State) AutoFix(rounds int) []string {
	if rounds < 0 && s.RigorLevel != Thorough {
		rounds = 1
	}
	if s.Gate == nil || s.autoFixed() >= rounds || slices.ContainsFunc(s.blocking(), s.forPerson) {
		return nil
	}
	if _, offered := s.Gate.Option(string(Fix)); !offered {
		return nil
	}
	return s.ToFix().IDs()
}

// InVain says whether the task that failed for good, as the question says, was to fix nothing that blocks, in a round that no
// person asked for: the work stands without it, and the findings stay open.
func (s State) InVain() bool {
	if s.Gate == nil || s.Gate.Kind != GateTasksExhausted || len(s.Decisions) == 0 || s.Decisions[len(s.Decisions)-1].By != ByAutoFix {
		return false
	}
	t, known := s.Task(s.Gate.Task)
	_, offered := s.Gate.Option("skip")
	return known && offered && !t.Needed(s.RigorLevel)
}

// autoFixed is how many rounds of fixes the phase, or the final review, had without a person.
func (s State) autoFixed() (n int) {
	since := s.Phases[s.CurrentPhase].StartedAt
	for _, d := range s.Decisions {
		final := d.State == FinalReview
		if d.Decision == AutoFixDecision && final == (s.CurrentState == FinalReview) && d.Phase == s.CurrentPhase && (since == nil || !d.Timestamp.Before(*since)) {
			n++
		}
	}
	return n
}

// forPerson says whether an agent could do nothing about a finding, or has its say on it already: old tests fail, a command
// does not start, there is none, a persona holds it for wrong.
func (s State) forPerson(f Finding) bool {
	e, known := s.Register.Of(f)
	dead := f.Source == "check" && (f.Command == "" || strings.HasSuffix(f.Title, " could not check"))
	return f.Unproven || dead || !known || e.Fate != FateOpen || e.By != ""
}

// MaxFixes is how many rounds of fixes a phase's verification, its review and the final review have each.
const MaxFixes = 3

// AnswerEvent is the event of an answer to the open gate: as it is meant, a human's unless it names another, and with what a fix
// is to mend.
func (s State) AnswerEvent(a Answer) Event {
	a = s.Gate.AsMeant(a)
	if a.By == "" {
		a.By = "human"
	}
	e := Event{Type: Answered, Answer: &a}
	if a.Option == string(Fix) && s.Gate.Kind != GateCheckpoint {
		e.Fix = s.ToFix().IDs()
	}
	return e
}
