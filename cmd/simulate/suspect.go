package simulate

import (
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/personas"
	"autopilot/personas/chaos"
)

// suspect is a dispatch that may have misbehaved.
type suspect struct {
	id, task string
	number   int        // of the dispatch
	part     chaos.Part // once it ended, where it misbehaved
	by       string     // "": nothing was noticed
	after    int        // how many dispatches it took to be noticed, that one included
}

// trouble is something that a check found.
type trouble struct {
	says  string
	about string // all of it, with the files and tasks that it names
}

// troubles are what the checks of an event found.
func troubles(ev machine.Event) []trouble {
	var list []trouble
	for _, f := range ev.Findings {
		if f.Severity != machine.Suggestion {
			list = append(list, trouble{f.Title, strings.Join([]string{f.Title, f.File, f.Rationale}, "\n")})
		}
	}
	for _, c := range ev.Checks {
		if c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckNothing {
			says := c.Command + ": " + c.Outcome + " " + c.Detail
			list = append(list, trouble{says, says})
		}
	}
	return list
}

// failed says whether what the check of a task found is the dispatch's. Who tampers may have done the task all the same.
func (s *suspect) failed(task, about string) bool {
	return s.task == task && s.part.Behaviour != chaos.Tamperer || s.left(about)
}

// left says whether what a check found is a trace of the dispatch: a file that its deed changed, or work of its task that
// is not there. What else goes wrong in the same run gives nobody away.
func (s *suspect) left(about string) bool {
	traces := slices.Clone(s.part.Changed)
	if s.task != "" {
		m := mark{s.part.Key.Phase, s.task}
		traces = append(traces, m.String(), m.manifest())
	}
	return slices.ContainsFunc(traces, func(t string) bool { return strings.Contains(about, t) })
}

// asked says whether a question to the person comes of the dispatch: of the review that is never content, or of the
// planner that made no plan.
func (s *suspect) asked(gate machine.Gate) bool {
	by, what := personas.Name(s.part.Key.Persona), s.part.Behaviour
	switch gate.Kind {
	case machine.GateReviewBlocking, machine.GateFinalBlocking:
		return what == chaos.Oscillating && by == personas.Reviewer
	case machine.GateVerifyFailed:
		return what == chaos.Oscillating && by == personas.Verifier
	case machine.GateNoOutput:
		return what == chaos.Liar && by == personas.Planner
	}
	return false
}
