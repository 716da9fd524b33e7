package machine

import (
	"slices"
	"time"
)

// SpentOn is what a task used, the dispatch that it has in flight with the time up to the last event.
func (s State) SpentOn(id string) Spent {
	t, _ := s.Task(id)
	if d := s.FlightOf(func(d *Dispatch) bool { return d.Task == id && id != "" }); d != nil {
		t.Spent.Seconds += d.Lasted(s.UpdatedAt)
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

// FlightOf finds a dispatch that was begun and has not ended.
func (s State) FlightOf(is func(*Dispatch) bool) *Dispatch {
	all := s.Flights()
	if at := slices.IndexFunc(all, is); at >= 0 {
		return all[at]
	}
	return nil
}

// Lasted is how long a dispatch was at work up to a time, in seconds. How long one was that is met in flight by a new
// run, nobody knows.
func (d *Dispatch) Lasted(until time.Time) float64 {
	if d.At.IsZero() || !until.After(d.At) {
		return 0
	}
	return until.Sub(d.At).Seconds()
}

// LimitOf is what is known of a backend's limit; false where nothing is.
func (s State) LimitOf(backend string) (BackendLimit, bool) {
	at := slices.IndexFunc(s.Limits, func(l BackendLimit) bool { return l.Backend == backend })
	if at < 0 {
		return BackendLimit{}, false
	}
	return s.Limits[at], true
}

// MaxHeard is how many outages an attempt may meet of which its agent's words alone tell.
const MaxHeard = 3

// HeardEnough says whether the next outage of which the words of a task's agent alone tell is a crash; "" is the agent of
// a dispatch that belongs to no task.
func (s State) HeardEnough(task string) bool {
	if t, ok := s.Task(task); ok {
		return t.Outages >= MaxHeard
	}
	return s.CurrentPhase < len(s.Phases) && s.Phases[s.CurrentPhase].Outages >= MaxHeard
}

// PauseDue says whether a human is to be asked before the next dispatch: at least every dispatches were begun since the
// last pause, or since the session began; 0 is never. Each that was begun counts, also one that was cut off, met a limit
// or could not be made: the count is how often an agent was set to work while nobody looked. It is that of the usage, so
// that no restart sets it back.
func (s State) PauseDue(every int) bool {
	return every > 0 && s.Usage.Dispatches-s.PausedAt >= every
}
