package legacy

import (
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// goOn puts an imported session where its next step can be done from files alone: which tasks were done, and what a
// dispatch that was running came to, nobody knows.
func (o *older) goOn(s *machine.State, now time.Time) {
	was := s.CurrentState
	open := slices.IndexFunc(s.Phases, func(p machine.Phase) bool { return !p.Over() })
	switch {
	case was == machine.Done && open < 0:
		s.Step, s.ClosingDone = machine.StepClosed, slices.Clone(machine.Closing)
		return
	case ended(was) && open >= 0, !ended(was) && recorded(s):
		o.toOpenPhase(s)
	}
	o.enter(s)
	if s.CurrentState != was {
		o.say("the session was in %s and goes on in %s", was, s.CurrentState)
	}
	p := &s.Phases[s.CurrentPhase]
	if s.CurrentState == machine.Init || s.CurrentState == machine.FinalReview {
		return
	}
	if p.StartedAt == nil && !now.IsZero() {
		p.StartedAt, p.UsageAtStart = &now, s.Usage
	}
	if p.Status == machine.PhasePending {
		p.Status = machine.PhaseInProgress
		o.say("the status of phase %s is in-progress, since the session stands there", p.Number)
	}
}

// ended says whether a state comes after all phases.
func ended(n machine.Name) bool { return n == machine.FinalReview || n == machine.Done }

// recorded says whether the current phase is finished, and its end in the history.
func recorded(s *machine.State) bool {
	p := &s.Phases[s.CurrentPhase]
	inHistory := slices.ContainsFunc(s.History, func(h machine.HistoryEntry) bool { return h.Phase == s.CurrentPhase })
	if s.CurrentState == machine.PhaseComplete && inHistory && p.Status != machine.PhaseSkip {
		p.Status = machine.PhaseDone
	}
	return p.Over()
}

// toOpenPhase goes to the first phase that is not finished, or to the final review.
func (o *older) toOpenPhase(s *machine.State) {
	open := slices.IndexFunc(s.Phases, func(p machine.Phase) bool { return !p.Over() })
	if open < 0 {
		s.CurrentState = machine.FinalReview
		return
	}
	if s.CurrentState != machine.Init {
		s.CurrentState = machine.Assess
	}
	s.CurrentPhase = open
	o.say("the session goes on with phase %s, the first that is not finished", s.Phases[open].Number)
}

// firstSteps are the steps at which a state can be taken up from files alone.
var firstSteps = map[machine.Name]machine.StepName{
	machine.Init: machine.StepBranch, machine.Assess: machine.StepLook, machine.Plan: machine.StepPlan, machine.ApprovePlan: machine.StepWeigh,
	machine.Verify: machine.StepCommands, machine.Review: machine.StepReview, machine.PhaseComplete: machine.StepRecord,
	machine.FinalReview: machine.StepReview,
}

// enter finds the state and the step to begin at. EXECUTE goes back to APPROVE_PLAN: a human sees the plan before
// anything of it runs again. A phase whose plan is not known, or is a human's to make, is assessed anew.
func (o *older) enter(s *machine.State) {
	p := &s.Phases[s.CurrentPhase]
	if s.CurrentState == machine.Execute {
		s.CurrentState = machine.ApprovePlan
	}
	noPlan := s.CurrentState == machine.ApprovePlan && p.PlanPath == ""
	byHuman := s.CurrentState == machine.Plan && (p.Complexity == machine.High || p.PlanWanted)
	if noPlan || byHuman {
		s.CurrentState = machine.Assess
	}
	s.Step = firstSteps[s.CurrentState]
	switch s.CurrentState {
	case machine.Plan:
		if s.RigorLevel == machine.Thorough && p.Skeleton == "" {
			s.Step = machine.StepSkeleton
		}
	case machine.ApprovePlan:
		p.PlanSHA256, p.ApprovedSHA256 = "", "" // so that the plan is read anew
	case machine.Verify, machine.Review:
		if p.StartCommit == "" && s.StartingCommit != "" {
			p.StartCommit = s.StartingCommit
			o.say("where phase %s began is not known: it is judged by everything since %s", p.Number, s.StartingCommit)
		}
	}
}
