package machine

// NothingChanged is the title of the finding that a task brought no change.
const NothingChanged = "nothing was changed"

// PassesBefore says whether the task's own validation passed before its first dispatch: that it passes later proves nothing.
func (t Task) PassesBefore() bool { return t.Before != nil && t.Before.Outcome == CheckPassed }

// MayBeDone says whether nothing speaks against a task but that it changed nothing, and its validation passed before it: a
// person knows whether it was done already.
func (t Task) MayBeDone(findings []Finding) bool {
	bad := Blocking(findings, Standard)
	return t.PassesBefore() && len(bad) == 1 && bad[0].Title == NothingChanged
}
