package transition

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

// gateRaised opens a gate for something that the driver met outside the tables.
func (m asking) gateRaised() error {
	switch m.e.Kind {
	case machine.GateEffectUnclear:
		if effectInFlight(m.s) == nil {
			return m.illegal("no effect is in flight")
		}
		m.ask(machine.GateEffectUnclear, "It is not clear whether a commit was made before the stop. Take what is there, or do it again?", m.e.Detail)
	case machine.GatePause:
		return m.pauseRaised()
	case machine.GateBlocked:
		m.ask(machine.GateBlocked, m.e.Detail)
	default:
		return m.illegal(fmt.Sprintf("gate %s opens only through its own cause", m.e.Kind))
	}
	return nil
}

// pauseRaised opens the gate of a pause. One that a person wished opens at any time; another that nothing was dispatched since is refused, so that pauses cannot follow
// each other for ever.
func (m asking) pauseRaised() error {
	since := m.s.Usage.Dispatches - m.s.PausedAt
	switch {
	case m.s.Gate != nil:
		return m.illegal("a question is open")
	case len(m.s.InFlight) > 0 && m.lane == nil && !m.s.LanesBusy():
		return m.illegal("a dispatch or a commit is in flight")
	case m.e.By != "":
		m.ask(machine.GatePause, "Paused as you asked. Go on?", m.beforePause()...)
		return nil
	case since == 0:
		return m.illegal("nothing was dispatched since the last pause")
	}
	were, from := machine.Plural(since, "dispatch was", "dispatches were"), "the session began"
	if m.s.PausedAt > 0 {
		from = "the last pause"
	}
	m.ask(machine.GatePause, fmt.Sprintf("A pause, as wished: %s made since %s. Go on?", were, from), m.beforePause()...)
	return nil
}

// beforePause helps to decide: what comes next, and what was used so far, as far as the backend tells.
func (m asking) beforePause() []string {
	step, u := machine.Next(m.before), m.s.Usage
	if m.lane != nil {
		step = machine.InLane(m.before, *m.lane)
	}
	next := "next: " + strings.TrimSpace(step.Persona+" "+step.Purpose)
	if t, ok := m.s.Task(step.Task); ok {
		next += fmt.Sprintf(", %s %s", t.ID, t.Title)
	}
	used := "so far: " + machine.Plural(u.Dispatches, "dispatch", "dispatches")
	if tokens := u.InputTokens + u.OutputTokens; tokens > 0 {
		used += fmt.Sprintf(", %d tokens", tokens)
	}
	if u.CostUSD > 0 {
		used += fmt.Sprintf(", %.2f USD", u.CostUSD)
	}
	return []string{next, used}
}

// drained opens the question that waited until the lanes were quiet.
func (m asking) drained() error {
	if m.s.Gate != nil || len(m.s.Suspended) == 0 || m.s.LanesBusy() {
		return m.illegal("no question waits for the lanes")
	}
	resumeGate(m.s)
	m.s.Gate.ID, m.s.Gate.AskedAt = gateID(m.e.Rev), m.e.Time
	return nil
}

// release lets the lanes go on that no question is left about.
func release(s *machine.State) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Lane != nil && !slices.ContainsFunc(s.Suspended, func(g machine.Gate) bool { return g.Task == t.ID }) {
			t.Lane.Held = false
		}
	}
}

// resumeGate brings back the question that had to wait, where no other is open.
func resumeGate(s *machine.State) {
	if s.Gate != nil || len(s.Suspended) == 0 || s.LanesBusy() {
		return
	}
	last := len(s.Suspended) - 1
	gate := s.Suspended[last]
	s.Gate, s.Suspended = &gate, s.Suspended[:last]
}
