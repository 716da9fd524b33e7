package transition

import (
	"slices"
	"time"

	"autopilot/autopilot/machine"
)

// spend counts what the event used, and how long it took, for those that have budgets.
func (m accounts) spend(seconds float64) {
	used := machine.Usage{Dispatches: m.s.Usage.Dispatches - m.before.Usage.Dispatches}
	if m.e.Type == machine.Used {
		used = *m.e.Usage
	}
	if at := m.spentIn(); at != nil {
		at.Usage, at.Seconds = at.Usage.Plus(used), at.Seconds+seconds
	}
	id, seconds := m.spentOn()
	m.share(used, id)
	if t := machine.FindTask(m.s.Tasks, id); t != nil && id != "" {
		t.Spent.Usage, t.Spent.Seconds = t.Spent.Usage.Plus(used), t.Spent.Seconds+seconds
	}
}

// share notes what a phase used for what, to tell later ones by.
func (m accounts) share(used machine.Usage, task string) {
	at := m.before.CurrentPhase
	if at < 0 || at >= len(m.s.Phases) || m.e.Phase > 0 {
		return
	}
	p := &m.s.Phases[at]
	switch m.before.CurrentState {
	case machine.Assess, machine.Plan, machine.ApprovePlan:
		p.SpentPlanning = p.SpentPlanning.Plus(used)
	case machine.Execute:
		if task != "" {
			p.SpentTasks = p.SpentTasks.Plus(used)
		}
	}
}

// spentIn is the account of the phase, or the final review, that the event belongs to; nil where it belongs to none.
func (m accounts) spentIn() *machine.Spent {
	at := m.before.CurrentPhase
	if m.e.Type == machine.Used && m.e.Phase > 0 {
		at = m.e.Phase - 1
	} else if m.before.CurrentState == machine.FinalReview {
		return &m.s.FinalSpent
	}
	if at < 0 || at >= len(m.s.Phases) || m.before.CurrentState == machine.Done {
		return nil
	}
	return &m.s.Phases[at].Spent
}

// spentOn is the task that the event belongs to, and how many seconds of its own time it adds.
func (m accounts) spentOn() (id string, seconds float64) {
	switch {
	case m.e.Type == machine.Used, m.e.Type == machine.Validated:
		return m.e.Task, machine.SecondsOf(m.e.Checks)
	case m.e.Type == machine.Dispatched && m.e.Dispatch != nil:
		return m.e.Dispatch.Task, 0
	case m.e.Type == machine.DispatchEnded && m.e.Ended != nil:
		if d := m.before.FlightOf(func(d *machine.Dispatch) bool { return d.ID == m.e.Ended.ID }); d != nil {
			return d.Task, max(0, d.Lasted(m.e.Time)-m.e.Slept)
		}
	}
	return "", 0
}

// count adds the time since the last event to the running time, unless nobody was running or a human was thinking; to
// their accounts what budgets count; and to the metrics those of a dispatch that ended.
func (m accounts) count() {
	seconds := m.elapsed()
	m.s.Elapsed += seconds
	m.spend(seconds)
	if m.e.Slept > 0 {
		sleptInFlight(m.s, m.e)
	}
	if m.e.Type == machine.DispatchEnded && m.e.Ended.Metrics != nil {
		m.measure(*m.e.Ended.Metrics, m.e.Ended.Task)
	}
}

// measure adds up how a dispatch went, for the session and for the task that it names.
func (m accounts) measure(how machine.Metrics, task string) {
	if t := machine.FindTask(m.s.Tasks, task); t != nil && task != "" {
		first := t.Metrics.Ended == 0
		t.Metrics = t.Metrics.Plus(how)
		how = how.ForTask(first)
	}
	m.s.Metrics = m.s.Metrics.Plus(how)
}

// elapsed is the running time since the last event.
func (m accounts) elapsed() float64 {
	human := m.before.Gate != nil || slices.Contains([]machine.EventType{machine.RunStarted, machine.PhaseRedone, machine.PlanBrought, machine.UndoIntended, machine.Undone}, m.e.Type)
	if human || m.before.UpdatedAt.IsZero() || !m.e.Time.After(m.before.UpdatedAt) {
		return 0
	}
	return max(0, m.e.Time.Sub(m.before.UpdatedAt).Seconds()-m.e.Slept)
}

// cutFlights forgets when the dispatches in flight began: the run that made them has ended, and nobody knows when. What
// is known of their time counts.
func cutFlights(s *machine.State) {
	eachFlight(s, func(d *machine.Dispatch) {
		if t := machine.FindTask(s.Tasks, d.Task); t != nil {
			t.Spent.Seconds += d.Lasted(s.UpdatedAt)
		}
		d.At = time.Time{}
	})
}

// sleptInFlight puts off when the dispatches in flight began, by what nobody ran in.
func sleptInFlight(s *machine.State, e machine.Event) {
	eachFlight(s, func(d *machine.Dispatch) {
		if d.At.IsZero() || !d.At.Before(e.Time) {
			return // this event began it
		}
		if d.At = d.At.Add(time.Duration(e.Slept * float64(time.Second))); d.At.After(e.Time) {
			d.At = e.Time
		}
	})
}

// eachFlight changes the dispatches in flight, each a copy: the state that the event came upon has them too.
func eachFlight(s *machine.State, change func(*machine.Dispatch)) {
	changed := func(d *machine.Dispatch) *machine.Dispatch {
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
