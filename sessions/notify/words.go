package notify

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

// questions are what each kind of gate asks, in words that no agent wrote; %s is the phase.
var questions = map[machine.GateKind]string{
	machine.GateSpecChanged:     "the spec changed in a finished phase; keep it or redo it",
	machine.GatePlanWanted:      "write the plan of %s",
	machine.GateApproveSkeleton: "approve the outline of %s",
	machine.GateApprovePlan:     "approve the plan of %s",
	machine.GateNoOutput:        "an agent failed twice in %s; retry or skip",
	machine.GateBlocked:         "an agent is blocked in %s; what should it do",
	machine.GateCheckpoint:      "the plan of %s has a checkpoint for you; what do you decide",
	machine.GateTasksExhausted:  "a task of %s failed in every attempt; how to continue",
	machine.GateAlreadyDone:     "a task of %s seems done already; is it",
	machine.GateLargeChange:     "a task of %s left more than the plan names; commit it",
	machine.GateDirtyOverlap:    "%s needs files that you have uncommitted changes in; are they committed",
	machine.GateVerifyFailed:    "checks failed in %s; fix it",
	machine.GateBaselineRed:     "checks fail before any change; continue",
	machine.GateReviewBlocking:  "the review of %s found problems; fix them",
	machine.GateFinalBlocking:   "the final review found problems; fix them",
	machine.GateEffectUnclear:   "a commit was interrupted; was it made",
	machine.GateContinue:        "%s is over; continue",
	machine.GatePause:           "paused; continue",
}

// asks is the question of a gate.
func asks(g machine.Gate, s machine.State) string {
	if g.YourTurn != nil {
		return "your turn in " + phaseName(s)
	}
	text, known := questions[g.Kind]
	if !known {
		return "a question is open; what now"
	}
	return strings.Replace(text, "%s", phaseName(s), 1)
}

// phaseName names the current phase, or what comes after all of them.
func phaseName(s machine.State) string {
	if !inPhase(s) {
		return "the final review"
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("phase %s (%s)", p.Number, p.Name)
}

// inPhase says whether a session is in a phase.
func inPhase(s machine.State) bool {
	return s.CurrentState != machine.FinalReview && s.CurrentState != machine.Done && s.CurrentPhase >= 0 && s.CurrentPhase < len(s.Phases)
}
