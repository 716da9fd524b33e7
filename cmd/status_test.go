package cmd

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
)

func TestStatusFitsANarrowTerminal(t *testing.T) {
	s := machine.State{
		SpecPath: "docs/spec.md", CurrentState: machine.Execute, Step: machine.StepPick, RigorLevel: machine.Standard, Branch: "autopilot/a-long-name",
		Spec: machine.SpecRef{Title: "A title that is longer than the line"}, Phases: []machine.Phase{{Number: "1", Name: "Greet"}},
	}
	for line := range strings.Lines(statusText(viewOf(s), s, 40)) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > 40 {
			t.Errorf("longer than 40 columns: %q", line)
		}
	}
}
