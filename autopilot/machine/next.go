package machine

import (
	"slices"
	"strings"
)

// Step is what the driver has to do next: Next's answer.
type Step struct {
	State   Name
	Name    StepName
	Persona string // of a dispatch
	Purpose string // of a dispatch: "", skeleton, diagnosis, final, fix
	Phase   int    // 1-based; 0 in the final review
	Task    string // id, where the step is about a task
	Attempt int    // 1-based, of a dispatch
	Closing string // the closing step of DONE
	Done    bool   // pick: every task is completed
	Stuck   bool   // pick: none can run any more
	Bring   bool   // pick: the task's lane is done, and its work comes next
}

// Next says what the session's next step is. It waits while a gate is open, and ends after the last closing step.
func Next(s State) Step {
	step := Step{State: s.CurrentState, Name: s.Step, Phase: s.CurrentPhase + 1, Task: s.CurrentTask}
	if s.CurrentState == FinalReview {
		step.Phase = 0
	}
	switch {
	case s.Gate != nil:
		step.Name = StepWait
	case len(s.Suspended) > 0 && s.LanesBusy():
		step.Name = StepLanes
	case len(s.Suspended) > 0 && !s.bringing():
		step.Name = StepAsk
	case s.CurrentState == Done && NextClosing(s) == "":
		step.Name = StepEnd
	case s.CurrentState == Done:
		step.Name, step.Closing = StepClose, NextClosing(s)
	case s.Step == StepPick:
		step.pick(s)
	default:
		step.persona(s)
	}
	return step
}

func (step *Step) pick(s State) {
	if len(s.Suspended) > 0 { // no task is begun before the question
		step.bring(s)
		return
	}
	id, ok := NextTask(s)
	step.Task = id
	if ok {
		return
	}
	if s.LanesOpen() {
		step.bring(s)
		return
	}
	step.Done = true
	for _, t := range s.Tasks {
		step.Done = step.Done && t.Over()
	}
	step.Stuck = !step.Done
}

// bring takes the lane whose turn it is; where it is none's, the lanes are waited for.
func (step *Step) bring(s State) {
	step.Name = StepLanes
	if id, ok := nextToIntegrate(s); ok {
		step.Name, step.Task, step.Bring = StepPick, id, true
	}
}

// InLane is the step that a task's lane is at.
func InLane(s State, t Task) Step {
	own := s
	own.CurrentTask, own.Step = t.ID, t.Lane.Step
	step := Step{State: s.CurrentState, Name: t.Lane.Step, Phase: s.CurrentPhase + 1, Task: t.ID}
	step.persona(own)
	return step
}

// persona fills in who is dispatched at a dispatching step, and which attempt of theirs it is.
func (step *Step) persona(s State) {
	outside := func(persona string) int { return s.Phases[s.CurrentPhase].Dispatches[persona] + 1 }
	t, _ := s.Task(s.CurrentTask)
	switch s.Step {
	case StepSkeleton, StepSkeletonReply:
		step.Persona, step.Purpose, step.Attempt = "planner", "skeleton", outside("planner")
	case StepPlan, StepPlanReply:
		step.Persona, step.Attempt = "planner", outside("planner")
	case StepDiagnose, StepDiagnosis:
		step.Persona, step.Purpose, step.Attempt = "verifier", "diagnosis", t.Diagnoses+1
	case StepDispatch, StepReply:
		step.Persona, step.Attempt = "executor", t.Dispatches+1
		if t.Kind != KindPlan {
			step.Purpose = "fix"
		}
	case StepBlind, StepBlindReply:
		step.Persona, step.Purpose, step.Attempt = "verifier", BlindPurpose, outside(BlindPurpose)
	case StepVerifier, StepVerifierReply:
		step.Persona, step.Attempt = "verifier", outside("verifier")
	case StepReview, StepReviewReply:
		step.Persona, step.Attempt = "reviewer", outside("reviewer")
		if s.CurrentState == FinalReview {
			step.Purpose, step.Attempt = "final", s.FinalReview.Dispatches+1
		}
	}
}

// Dispatching says whether the step is one at which a persona is about to be run (true, false), is thought to be
// running (true, true), or neither.
func (step Step) Dispatching() (is, inFlight bool) {
	switch step.Name {
	case StepSkeleton, StepPlan, StepDiagnose, StepDispatch, StepBlind, StepVerifier, StepReview:
		return true, false
	case StepSkeletonReply, StepPlanReply, StepDiagnosis, StepReply, StepBlindReply, StepVerifierReply, StepReviewReply:
		return true, true
	}
	return false, false
}

// RunsCommands says whether agents or checks run in a step.
func (step Step) RunsCommands() bool {
	is, _ := step.Dispatching()
	return is || slices.Contains([]StepName{StepBaseline, StepFind, StepValidate, StepCommands, StepClean, StepBlindChecks, StepRescue}, step.Name)
}

// Commits says whether a step may make a commit, by which git's hooks run: the last ones with the roadmap.
func (step Step) Commits() bool {
	return strings.HasSuffix(string(step.Name), "commit") || step.Name == StepRecord || step.Name == StepClose
}

// Closing lists the closing steps of DONE in their order; each is recorded when it is done, so that a session that
// was stopped in between, or closed when the list was shorter, finishes the rest.
var Closing = []string{"summary", "handoff", "learnings", "roadmap", "pr"}

// NextClosing is the closing step of DONE that comes next; "" after the last.
func NextClosing(s State) string {
	for _, step := range Closing {
		if !slices.Contains(s.ClosingDone, step) {
			return step
		}
	}
	return ""
}
