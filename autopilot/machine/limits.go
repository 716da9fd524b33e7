package machine

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// BackendLimit is a limit that a backend reported, and when it is over.
type BackendLimit struct {
	Backend string    `json:"backend"`
	Until   time.Time `json:"until"`
	UsedUp  bool      `json:"usedUp,omitempty"` // a quota or balance
	Outage  bool      `json:"outage,omitempty"` // its server was out of order: when to look again
}

// LimitOf is what is known of a backend's limit; false where nothing is.
func (s State) LimitOf(backend string) (BackendLimit, bool) {
	at := slices.IndexFunc(s.Limits, func(l BackendLimit) bool { return l.Backend == backend })
	if at < 0 {
		return BackendLimit{}, false
	}
	return s.Limits[at], true
}

// limited notes the limit that a dispatch ended with, if it is one, and what the session waits for: nothing where another
// backend is free to take over, else the limit that is over first.
func (m dispatching) limited(d *Dispatch) {
	end := m.e.Ended
	m.heard(d)
	m.remember()
	m.s.LimitedUntil, m.s.QuotaUsedUp, m.s.LimitedBackend = end.Until, end.UsedUp, end.Backend
	if end.Next == "" || end.Next == end.Backend {
		return
	}
	unlimited(m.s)
	if first, ok := m.s.LimitOf(end.Next); ok {
		m.s.LimitedUntil, m.s.QuotaUsedUp, m.s.LimitedBackend = &first.Until, first.UsedUp, first.Backend
	}
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

// heard counts such an outage.
func (m dispatching) heard(d *Dispatch) {
	switch t := find(m.s.Tasks, d.Task); {
	case !m.e.Ended.Outage || !m.e.Ended.TextOnly:
	case t != nil:
		t.Outages++
	default:
		phase(m.s).Outages++
	}
}

// remember keeps the limit of each backend until it is over, whoever is dispatched meanwhile.
func (m dispatching) remember() {
	end := m.e.Ended
	if end.Backend == "" {
		return
	}
	var limits []BackendLimit
	for _, l := range m.s.Limits {
		if l.Backend != end.Backend && l.Until.After(m.e.Time) {
			limits = append(limits, l)
		}
	}
	if end.Until != nil {
		limits = append(limits, BackendLimit{Backend: end.Backend, Until: *end.Until, UsedUp: end.UsedUp, Outage: end.Outage})
	}
	m.s.Limits = limits
}

// unlimited says that nothing is waited for, as somebody is dispatched again.
func unlimited(s *State) {
	s.LimitedUntil, s.QuotaUsedUp, s.LimitedBackend = nil, false, ""
}

// PauseDue says whether a human is to be asked before the next dispatch: at least every dispatches were begun since the
// last pause, or since the session began; 0 is never. Each that was begun counts, also one that was cut off, met a limit
// or could not be made: the count is how often an agent was set to work while nobody looked. It is that of the usage, so
// that no restart sets it back.
func (s State) PauseDue(every int) bool {
	return every > 0 && s.Usage.Dispatches-s.PausedAt >= every
}

// pauseRaised opens the gate of a pause. One that nothing was dispatched since is refused, so that pauses cannot follow
// each other for ever.
func (m asking) pauseRaised() error {
	since := m.s.Usage.Dispatches - m.s.PausedAt
	switch {
	case m.s.Gate != nil:
		return m.illegal("a question is open")
	case len(m.s.InFlight) > 0 && m.lane == nil && !m.s.LanesBusy():
		return m.illegal("a dispatch or a commit is in flight")
	case since == 0:
		return m.illegal("nothing was dispatched since the last pause")
	}
	were, from := Plural(since, "dispatch was", "dispatches were"), "the session began"
	if m.s.PausedAt > 0 {
		from = "the last pause"
	}
	m.ask(GatePause, gateOptions[GatePause], fmt.Sprintf("A pause, as wished: %s made since %s. Go on?", were, from), m.beforePause()...)
	return nil
}

// beforePause helps to decide: what comes next, and what was used so far, as far as the backend tells.
func (m asking) beforePause() []string {
	step, u := Next(m.before), m.s.Usage
	if m.lane != nil {
		step = InLane(m.before, *m.lane)
	}
	next := "next: " + strings.TrimSpace(step.Persona+" "+step.Purpose)
	if t, ok := m.s.Task(step.Task); ok {
		next += fmt.Sprintf(", %s %s", t.ID, t.Title)
	}
	used := "so far: " + Plural(u.Dispatches, "dispatch", "dispatches")
	if tokens := u.InputTokens + u.OutputTokens; tokens > 0 {
		used += fmt.Sprintf(", %d tokens", tokens)
	}
	if u.CostUSD > 0 {
		used += fmt.Sprintf(", %.2f USD", u.CostUSD)
	}
	return []string{next, used}
}
