package machine

import "slices"

// pair finds, for each phase of a changed spec, the phase of the session that it is; -1 is a new one. A name counts for
// more than a number: a phase that is put in between gives those behind it other numbers.
func pair(old []Phase, now []PhaseText) []int {
	number := func(p Phase, text PhaseText) bool { return p.Number == text.Number }
	name := func(p Phase, text PhaseText) bool { return p.Name == text.Name }
	return pairs(old, now, func(p Phase, text PhaseText) bool { return number(p, text) && name(p, text) }, name, number)
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
func isFinished(s *State, i int) bool {
	past := slices.Contains([]Name{PhaseComplete, FinalReview, Done}, s.CurrentState)
	return s.Phases[i].Over() || (i == s.CurrentPhase && past)
}

// isInWork says whether a phase is the one that the session is about.
func isInWork(s *State, i int) bool { return i == s.CurrentPhase && s.CurrentState != Init }

// renew replaces the phases by those of the changed spec and says where each old one is now, -1 where it went. Those
// with work in them keep what they are, also when the spec does not have them any more: their work is there.
func renew(s *State) (where []int) {
	reread, old := *s.Reread, s.Phases
	s.Spec, s.Reread = reread.Spec, nil
	pairs := pair(old, reread.Phases)
	var phases []Phase
	for n, text := range reread.Phases {
		p := Phase{Status: PhasePending}
		if i := pairs[n]; i >= 0 {
			p = old[i]
			p.Gone = false
			p.Reread = p.Reread || (p.PlanPath != "" && p.changedTo(text.SHA256))
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
	return where
}

// moveRecords has what is recorded of the phases follow them to where these are now. What is recorded of one that went,
// or that no phase has, names none: -1.
func moveRecords(s *State, where []int) {
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

// moveGates has the open questions follow their phases to where these are now.
func moveGates(s *State, where []int) {
	if s.Gate != nil {
		s.Gate.Phase = max(where[s.Gate.Phase], 0)
	}
	for i := range s.Suspended {
		s.Suspended[i].Phase = max(where[s.Suspended[i].Phase], 0)
	}
}
