package transition

import (
	"slices"

	"autopilot/autopilot/machine"
)

// pair finds, for each phase of a changed spec, the phase of the session that it is; -1 is a new one. A name counts for
// more than a number: a phase that is put in between gives those behind it other numbers.
func pair(old []machine.Phase, now []machine.PhaseText) []int {
	number := func(p machine.Phase, text machine.PhaseText) bool { return p.Number == text.Number }
	name := func(p machine.Phase, text machine.PhaseText) bool { return p.Name == text.Name }
	return pairs(old, now, func(p machine.Phase, text machine.PhaseText) bool { return number(p, text) && name(p, text) }, name, number)
}

// pairs finds, for each of now, the one of old that it is, by the first of the rules that tells; -1 is none. Each of old
// is one of now at the most.
func pairs[A, B any](old []A, now []B, rules ...func(A, B) bool) []int {
	found := slices.Repeat([]int{-1}, len(now))
	for _, same := range rules {
		for n := range now {
			for i := range old {
				if found[n] < 0 && !slices.Contains(found, i) && same(old[i], now[n]) {
					found[n] = i
				}
			}
		}
	}
	return found
}

// isFinished says whether a phase's work is done: the current one's is from PHASE_COMPLETE on.
func isFinished(s *machine.State, i int) bool {
	past := slices.Contains([]machine.Name{machine.PhaseComplete, machine.FinalReview, machine.Done}, s.CurrentState)
	return s.Phases[i].Over() || (i == s.CurrentPhase && past)
}

// isInWork says whether a phase is the one that the session is about.
func isInWork(s *machine.State, i int) bool {
	return i == s.CurrentPhase && s.CurrentState != machine.Init
}

// renew replaces the phases by those of the changed spec and says where each old one is now, -1 where it went; what is
// recorded or asked of them follows. Those with work in them keep what they are, also when the spec does not have them any more: their work is there.
func renew(s *machine.State) (where []int) {
	reread, old := *s.Reread, s.Phases
	s.Spec, s.Reread = reread.Spec, nil
	pairs := pair(old, reread.Phases)
	var phases []machine.Phase
	for n, text := range reread.Phases {
		p := machine.Phase{Status: machine.PhasePending}
		if i := pairs[n]; i >= 0 {
			p = old[i]
			p.Gone = false
			p.Reread = p.Reread || (p.PlanPath != "" && isChanged(p, text.SHA256))
			if isChanged(p, text.SHA256) {
				p.Blind = nil
			}
		}
		if !p.Over() {
			p.Complexity = text.Complexity
		}
		p.Number, p.Name, p.SpecSHA256 = text.Number, text.Name, text.SHA256
		phases = append(phases, p)
	}
	for i, p := range old {
		at := slices.Index(pairs, i)
		if at < 0 && (isFinished(s, i) || isInWork(s, i)) {
			p.Gone = true
			at, phases = len(phases), append(phases, p)
		}
		where = append(where, at)
	}
	s.Phases = phases
	reorder(s, where)
	moveRecords(s, where)
	s.CurrentPhase = max(where[s.CurrentPhase], 0)
	if s.Gate != nil {
		s.Gate.Phase = max(where[s.Gate.Phase], 0)
	}
	for i := range s.Suspended {
		s.Suspended[i].Phase = max(where[s.Suspended[i].Phase], 0)
	}
	return where
}

// moveRecords has what is recorded of the phases follow them to where these are now. What is recorded of one that went,
// or that no phase has, names none: -1.
func moveRecords(s *machine.State, where []int) {
	follow := func(phase *int) {
		if *phase < 0 || *phase >= len(where) {
			*phase = -1
			return
		}
		*phase = where[*phase]
	}
	s.History, s.Decisions, s.Flakes = slices.Clone(s.History), slices.Clone(s.Decisions), slices.Clone(s.Flakes)
	for i := range s.History {
		follow(&s.History[i].Phase)
	}
	for i := range s.Decisions {
		follow(&s.Decisions[i].Phase)
	}
	for i := range s.Flakes {
		follow(&s.Flakes[i].Phase)
	}
}

// nextPhase is the first phase that is not finished.
func nextPhase(s *machine.State) (int, bool) {
	for i, p := range s.Phases {
		if !p.Over() {
			return i, true
		}
	}
	return 0, false
}

// isChanged says whether the spec has another text of the phase now. A phase that an older program recorded has no hash
// of it, and counts as unchanged.
func isChanged(p machine.Phase, hash string) bool { return p.SpecSHA256 != "" && p.SpecSHA256 != hash }

// unbegunPhases lists the phases that are not begun, as indices.
func unbegunPhases(s *machine.State) []int {
	var waiting []int
	for i, p := range s.Phases {
		if !p.Over() && !isInWork(s, i) {
			waiting = append(waiting, i)
		}
	}
	return waiting
}

// reorder puts the phases that are not begun into the order that a human wished; those that the wish does not name
// come last. where is corrected for those that moved.
func reorder(s *machine.State, where []int) {
	if len(s.Order) == 0 {
		return
	}
	rank := func(i int) int {
		if at := slices.Index(s.Order, s.Phases[i].Number); at >= 0 {
			return at
		}
		return len(s.Order)
	}
	waiting := unbegunPhases(s)
	sorted := slices.Clone(waiting)
	slices.SortStableFunc(sorted, func(a, b int) int { return rank(a) - rank(b) })
	old := slices.Clone(s.Phases)
	moved := slices.Clone(where)
	for k, from := range sorted {
		s.Phases[waiting[k]] = old[from]
		for n, at := range where {
			if at == from {
				moved[n] = waiting[k]
			}
		}
	}
	copy(where, moved)
}
