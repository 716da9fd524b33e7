package guard

import "testing"

func TestWhatTheProgramIsJustWritingIsNoAgentsDeed(t *testing.T) {
	for name, want := range map[string]bool{
		"phase-1-tasks.json": true, "phase-1-tasks.json.tmp": true, "state.json.tmp": true, "handoff.json.tmp": true, "now.json.tmp": true, "inbox/g1.json": true,
		"phase-1-verify.log": true, "phase-1-verify.json": false, "phase-1-review.json.tmp": false, "spec.md": false, "notes.tmp": false,
	} {
		if unguarded(name) != want {
			t.Errorf("%s: unguarded is %v", name, !want)
		}
	}
}
