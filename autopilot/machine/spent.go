package machine

import (
	"slices"
	"time"
)

// Spent is what a phase, the final review or a task used: what its budgets count.
type Spent struct {
	Usage
	// Seconds are running time of a phase; of a task, the time of its dispatches and its checks, which may run beside others.
	Seconds float64 `json:"seconds,omitempty"`
}

// SpentOn is what a task used, the dispatch that it has in flight with the time up to the last event.
func (s State) SpentOn(id string) Spent {
	t, _ := s.Task(id)
	if d := s.flightOf(func(d *Dispatch) bool { return d.Task == id && id != "" }); d != nil {
		t.Spent.Seconds += d.lasted(s.UpdatedAt)
	}
	return t.Spent
}

// SpentHere is what the current phase, or the final review, used.
func (s State) SpentHere() Spent {
	if s.CurrentState == FinalReview || s.CurrentPhase < 0 || s.CurrentPhase >= len(s.Phases) {
		return s.FinalSpent
	}
	return s.Phases[s.CurrentPhase].Spent
}

// Flights are the dispatches that were begun and have not ended.
func (s State) Flights() (all []*Dispatch) {
	for _, f := range s.InFlight {
		if f.Dispatch != nil {
			all = append(all, f.Dispatch)
		}
	}
	for _, t := range s.Tasks {
		if t.Lane != nil && t.Lane.Flight != nil {
			all = append(all, t.Lane.Flight)
		}
	}
	return all
}

// flightOf finds a dispatch that was begun and has not ended.
func (s State) flightOf(is func(*Dispatch) bool) *Dispatch {
	all := s.Flights()
	if at := slices.IndexFunc(all, is); at >= 0 {
		return all[at]
	}
	return nil
}

// lasted is how long a dispatch was at work up to a time, in seconds. How long one was that is met in flight by a new
// run, nobody knows.
func (d *Dispatch) lasted(until time.Time) float64 {
	if d.At.IsZero() || !until.After(d.At) {
		return 0
	}
	return until.Sub(d.At).Seconds()
}

// accounts are what the event cost, and whom.
type accounts struct{ *move }

// spend counts what the event used, and how long it took, for those that have budgets.
func (m accounts) spend(seconds float64) {
	used := Usage{Dispatches: m.s.Usage.Dispatches - m.before.Usage.Dispatches}
	if m.e.Type == Used {
		used = *m.e.Usage
	}
	if at := m.spentIn(); at != nil {
		at.Usage, at.Seconds = at.Usage.Plus(used), at.Seconds+seconds
	}
	id, seconds := m.spentOn()
	m.share(used, id)
	if t := find(m.s.Tasks, id); t != nil && id != "" {
		t.Spent.Usage, t.Spent.Seconds = t.Spent.Usage.Plus(used), t.Spent.Seconds+seconds
	}
}

// share notes what a phase used for what, to tell later ones by.
func (m accounts) share(used Usage, task string) {
	at := m.before.CurrentPhase
	if at < 0 || at >= len(m.s.Phases) || m.e.Phase > 0 {
		return
	}
	p := &m.s.Phases[at]
	switch m.before.CurrentState {
	case Assess, Plan, ApprovePlan:
		p.SpentPlanning = p.SpentPlanning.Plus(used)
	case Execute:
		if task != "" {
			p.SpentTasks = p.SpentTasks.Plus(used)
		}
	}
}

// spentIn is the account of the phase, or the final review, that the event belongs to; nil where it belongs to none.
func (m accounts) spentIn() *Spent {
	at := m.before.CurrentPhase
	if m.e.Type == Used && m.e.Phase > 0 {
		at = m.e.Phase - 1
	} else if m.before.CurrentState == FinalReview {
		return &m.s.FinalSpent
	}
	if at < 0 || at >= len(m.s.Phases) || m.before.CurrentState == Done {
		return nil
	}
	return &m.s.Phases[at].Spent
}

// spentOn is the task that the event belongs to, and how many seconds of its own time it adds.
func (m accounts) spentOn() (id string, seconds float64) {
	switch {
	case m.e.Type == Used, m.e.Type == Validated:
		for _, c := range m.e.Checks {
			seconds += c.Seconds
		}
		return m.e.Task, seconds
	case m.e.Type == Dispatched && m.e.Dispatch != nil:
		return m.e.Dispatch.Task, 0
	case m.e.Type == DispatchEnded && m.e.Ended != nil:
		if d := m.before.flightOf(func(d *Dispatch) bool { return d.ID == m.e.Ended.ID }); d != nil {
			return d.Task, max(0, d.lasted(m.e.Time)-m.e.Slept)
		}
	}
	return "", 0
}

// cutFlights forgets when the dispatches in flight began: the run that made them has ended, and nobody knows when. What
// is known of their time counts.
func cutFlights(s *State) {
	eachFlight(s, func(d *Dispatch) {
		if t := find(s.Tasks, d.Task); t != nil {
			t.Spent.Seconds += d.lasted(s.UpdatedAt)
		}
		d.At = time.Time{}
	})
}

// sleptInFlight puts off when the dispatches in flight began, by what nobody ran in.
func sleptInFlight(s *State, e Event) {
	eachFlight(s, func(d *Dispatch) {
		if d.At.IsZero() || !d.At.Before(e.Time) {
			return // this event began it
		}
		if d.At = d.At.Add(time.Duration(e.Slept * float64(time.Second))); d.At.After(e.Time) {
			d.At = e.Time
		}
	})
}

// eachFlight changes the dispatches in flight, each a copy: the state that the event came upon has them too.
func eachFlight(s *State, change func(*Dispatch)) {
	changed := func(d *Dispatch) *Dispatch {
		if d == nil {
			return nil
		}
		own := *d
		change(&own)
		return &own
	}
	for i := range s.InFlight {
		s.InFlight[i].Dispatch = changed(s.InFlight[i].Dispatch)
	}
	for i := range s.Tasks {
		if l := s.Tasks[i].Lane; l != nil {
			l.Flight = changed(l.Flight)
		}
	}
}
