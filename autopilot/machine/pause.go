package machine

import (
	"fmt"
	"strings"
)

// PauseDue says whether a human is to be asked before the next dispatch: at least every dispatches were begun since the
// last pause, or since the session began; 0 is never. Each that was begun counts, also one that was cut off, met a limit
// or could not be made: the count is how often an agent was set to work while nobody looked. It is that of the usage, so
// that no restart sets it back.
func (s State) PauseDue(every int) bool {
	return every > 0 && s.Usage.Dispatches-s.PausedAt >= every
}

// pauseRaised opens the gate of a pause. One that nothing was dispatched since is refused, so that pauses cannot follow
// each other for ever.
func (m *move) pauseRaised() error {
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
func (m *move) beforePause() []string {
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
