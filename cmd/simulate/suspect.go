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
	part     chaos.Part // once it ended, where it misbehaved
	by       string     // "": nothing was noticed
	after    int        // how many dispatches it took to be noticed, that one included
}

// eachTrouble hands on what the checks of an event found: in short, and all of it with the files and tasks that it names.
func eachTrouble(ev machine.Event, found func(says, about string)) {
	for _, f := range ev.Findings {
		if f.Severity != machine.Suggestion {
			found(f.Title, strings.Join([]string{f.Title, f.File, f.Rationale}, "\n"))
		}
	}
	for _, c := range ev.Checks {
		if c.Outcome != machine.CheckPassed && c.Outcome != machine.CheckNothing {
			says := c.Command + ": " + c.Outcome + " " + c.Detail
			found(says, says)
		}
	}
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

// causes are the questions to the person that a misbehaviour leads to: of the review that is never content, and of the
// planner that made no plan.
var causes = map[machine.GateKind]struct {
	by   personas.Name
	what chaos.Behaviour
}{
	machine.GateReviewBlocking: {personas.Reviewer, chaos.Oscillating},
	machine.GateFinalBlocking:  {personas.Reviewer, chaos.Oscillating},
	machine.GateVerifyFailed:   {personas.Verifier, chaos.Oscillating},
	machine.GateNoOutput:       {personas.Planner, chaos.Liar},
}

// asked says whether a question to the person comes of the dispatch.
func (s *suspect) asked(kind machine.GateKind) bool {
	cause, known := causes[kind]
	return known && s.part.Behaviour == cause.what && s.part.Key.Persona == string(cause.by)
}
