package view

import (
	"testing"

	"autopilot/autopilot/machine"
)

// TestEveryStepHasWordsForPeople names a step that was added without them.
func TestEveryStepHasWordsForPeople(t *testing.T) {
	for state, steps := range machine.Steps {
		for step := range steps {
			if stepWords[step] == "" && taskWords[step] == "" && step != machine.StepDispatch && step != machine.StepReply {
				t.Errorf("%s: step %s has no row in stepWords", state, step)
			}
		}
	}
}
