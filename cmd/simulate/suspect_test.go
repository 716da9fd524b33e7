package simulate

import (
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/personas/chaos"
)

// suspectOf is a dispatch of task-001 of phase 1 that misbehaved.
func suspectOf(by personas.Name, b chaos.Behaviour, task string, changed ...string) *suspect {
	key := personas.Key{Persona: string(by), Phase: 1, Task: task}
	return &suspect{part: chaos.Part{Key: key, Cue: chaos.Cue{Behaviour: b}, Changed: changed}, task: task}
}

// TestOnlyWhatConcernsADispatchGivesItAway shows suspects what a check found, and what the person is asked.
func TestOnlyWhatConcernsADispatchGivesItAway(t *testing.T) {
	t.Parallel()
	liar := suspectOf(personas.Executor, chaos.Liar, "task-001")
	tamperer := suspectOf(personas.Executor, chaos.Tamperer, "task-001", checkScript)
	reviewer := suspectOf(personas.Reviewer, chaos.Oscillating, "")
	for name, c := range map[string]struct{ got, want bool }{
		"a liar by its own missing work":          {liar.left("sh check.sh: failed simulated/made/phase-1-task-001 is missing"), true},
		"a liar by another's missing work":        {liar.left("sh check.sh: failed simulated/made/phase-1-task-002 is missing"), false},
		"a liar by the check of its task":         {liar.failed("task-001", "nothing was changed"), true},
		"a liar by the check of another task":     {liar.failed("task-002", "nothing was changed"), false},
		"a tamperer by the file that it changed":  {tamperer.left("the agent changed " + checkScript), true},
		"a tamperer by another file":              {tamperer.left("the agent changed docs/spec.md"), false},
		"a tamperer by the check of its task":     {tamperer.failed("task-001", "nothing was changed"), false},
		"a review by the question that it causes": {reviewer.asked(machine.GateReviewBlocking), true},
		"a review by another question":            {reviewer.asked(machine.GateTasksExhausted), false},
		"a tamperer by a question":                {tamperer.asked(machine.GateReviewBlocking), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}
