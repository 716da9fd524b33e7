package autopilot

import (
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// Where names what a session is at, for an error: "task 2 of 5 (Parse the rules)".
func Where(s machine.State) string {
	if t, ok := s.Task(s.CurrentTask); ok {
		n := slices.IndexFunc(s.Tasks, func(other machine.Task) bool { return other.ID == t.ID }) + 1
		return fmt.Sprintf("task %d of %d (%s)", n, len(s.Tasks), t.Title)
	}
	switch {
	case s.CurrentState == machine.FinalReview:
		return "the final review"
	case s.CurrentState == machine.Done:
		return "the end"
	case s.CurrentState == machine.Init || s.CurrentPhase >= len(s.Phases):
		return "the preparations"
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("phase %s of %d (%s)", p.Number, len(s.Phases), p.Name)
}
