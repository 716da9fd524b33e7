package dispatch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
)

// TestStandingSaysWhatWasDecidedAndWhatFailedBefore: what people said and what was red already is no agent's to find out.
func TestStandingSaysWhatWasDecidedAndWhatFailedBefore(t *testing.T) {
	passed := true
	s := machine.State{
		Phases: []machine.Phase{{Number: "1"}, {Number: "2"}},
		History: []machine.HistoryEntry{
			{Phase: 0, Name: "Greet", Outcome: "complete", TasksCompleted: 2, VerificationPassed: &passed},
		},
		Decisions: []machine.Decision{
			{Phase: 0, Gate: "g1", Decision: "review_blocking: override", Reason: "names\ncome later"},
			{Phase: 0, Decision: "auto_approved_plan", Reason: "no signal fired"},
			{Phase: 0, Gate: "g2", Decision: "continue: yes"},
			{Phase: 1, Gate: "g3", Decision: "verify_failed: fix", Reason: "by rule", By: machine.ByAutoFix},
		},
		Baseline: &machine.Baseline{Checks: []machine.Check{
			{Command: "make lint", Outcome: machine.CheckPassed},
			{Command: "go test ./...", Outcome: machine.CheckFailed, FailedTests: []string{"TestOld", "TestOlder"}},
			{Command: "make e2e", Outcome: machine.CheckCouldNot},
		}},
	}
	for _, c := range []struct{ got, want []string }{
		{ended(s), []string{"1, Greet: complete, 2 tasks, verified: yes"}},
		{decided(s), []string{"phase 1, review blocking: override: names come later"}},
		{redBefore(s), []string{"go test ./...: failed: TestOld, TestOlder", "make e2e: could not check"}},
		{redBefore(machine.State{}), nil},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Error(diff)
		}
	}
}
