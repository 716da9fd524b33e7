package app_test

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
)

// TestAnswersAreOnlyToTheOpenQuestion: what became of another one is told, with a command that works as it stands.
func TestAnswersAreOnlyToTheOpenQuestion(t *testing.T) {
	open := machine.State{SpecPath: "docs/my spec.md", Gate: &machine.Gate{ID: "g2", Kind: machine.GateApprovePlan}, Decisions: []machine.Decision{{Gate: "g1", Decision: "continue: yes", By: "human"}}}
	over := machine.State{SpecPath: "docs/my spec.md"}
	for _, c := range []struct {
		name, gate, says string
		state            machine.State
	}{
		{"the open one", "g2", "", open},
		{"one that was answered", "g1", "was answered already: continue: yes, by human", open},
		{"one that never was", "g9", "is not the open question", open},
		{"none named", "", "is not the open question", open},
		{"none open", "g2", "autopilot 'docs/my spec.md'", over},
	} {
		err := app.StillOpen(c.state, c.gate)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}
