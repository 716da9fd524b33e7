package transition

import (
	"slices"

	"autopilot/autopilot/machine"
)

// clone copies what Apply may change, so that the state it was given stays as it was. Tallies are not copied here: there are
// as many as phases, and counting copies the one that changes.
func clone(s machine.State) machine.State {
	s.LeftOut = slices.Clone(s.LeftOut)
	s.Spec.Criteria = slices.Clone(s.Spec.Criteria)
	s.Phases = slices.Clone(s.Phases)
	for i := range s.Phases {
		s.Phases[i] = clonePhase(s.Phases[i])
	}
	s.Tasks = slices.Clone(s.Tasks)
	for i := range s.Tasks {
		s.Tasks[i].Attempts = slices.Clone(s.Tasks[i].Attempts)
		s.Tasks[i].Findings = slices.Clone(s.Tasks[i].Findings)
		s.Tasks[i].Claimed = slices.Clone(s.Tasks[i].Claimed)
		s.Tasks[i].Concerns = slices.Clip(s.Tasks[i].Concerns)
		if lane := s.Tasks[i].Lane; lane != nil {
			own := *lane
			s.Tasks[i].Lane = &own
		}
	}
	s.Checkpoints = slices.Clone(s.Checkpoints)
	s.InFlight = slices.Clone(s.InFlight)
	if s.Gate != nil {
		gate := *s.Gate
		s.Gate = &gate
	}
	s.Suspended = slices.Clone(s.Suspended)
	s.Decisions = slices.Clip(s.Decisions)
	s.History = slices.Clip(s.History)
	s.FinalReview.Findings = slices.Clip(s.FinalReview.Findings)
	s.ByProducts = slices.Clone(s.ByProducts)
	s.AcceptedRed = slices.Clone(s.AcceptedRed)
	s.Flakes = slices.Clone(s.Flakes)
	s.ClosingDone = slices.Clip(s.ClosingDone)
	s.Notes = slices.Clip(s.Notes)
	return s
}

func clonePhase(p machine.Phase) machine.Phase {
	p.Concerns = slices.Clip(p.Concerns)
	p.Checks = slices.Clip(p.Checks)
	p.Findings = slices.Clip(p.Findings)
	return p
}

// fill makes every list of the state's file a list, if an empty one: who reads it need not know null.
func fill(s *machine.State) {
	s.Spec.Criteria, s.Tasks, s.InFlight = some(s.Spec.Criteria), some(s.Tasks), some(s.InFlight)
	s.Decisions, s.History, s.FinalReview.Findings = some(s.Decisions), some(s.History), some(s.FinalReview.Findings)
	s.Register = some(s.Register)
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.DependsOn, t.Files, t.Attempts = some(t.DependsOn), some(t.Files), some(t.Attempts)
	}
}

func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
