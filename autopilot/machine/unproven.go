package machine

import (
	"slices"
	"strings"
)

// SplitUnproven separates a task's unproven findings from the others. A fix of the final review has none: no phase is
// verified after it, so what the old tests find fails its attempt.
func (s State) SplitUnproven(findings []Finding) (unproven, others []Finding) {
	for _, f := range findings {
		if f.Unproven && s.CurrentState != FinalReview {
			unproven = append(unproven, f)
		} else {
			others = append(others, f)
		}
	}
	return unproven, others
}

// Unanswered leaves out the unproven findings that a human already overrode in this phase. They are the same when the
// command and the names of the tests are; the output may differ.
func (s State) Unanswered(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool {
		return f.Unproven && slices.ContainsFunc(s.Phases[s.CurrentPhase].Findings, func(known Finding) bool {
			return known.Unproven && known.Overridden && known.Title == f.Title && known.Command == f.Command && known.Dir == f.Dir
		})
	})
}

// AskToProve is the text that asks an agent, once, to mend what running tests showed of its work, or to justify it.
func AskToProve(findings []Finding) string {
	return "Running tests showed this of the work. Where old tests fail on the new code, restore what they want. If the spec wants the " +
		"change, leave the work as it is, and name the sentence of the spec in your summary. You are told this once; no attempt is spent on it.\n\n" +
		strings.Join(Describe(findings), "\n")
}
