package machine

import (
	"fmt"
	"slices"
	"strconv"
)

// bookkeeping is what is only recorded, whatever the step.
type bookkeeping struct{ *move }

func (m bookkeeping) runStarted() error {
	m.s.Runs++
	m.s.KeysAsked = m.s.KeysAsked || m.e.KeysAsked
	m.s.Parallel = m.e.Parallel
	m.s.LeftOut = union(m.s.LeftOut, m.e.LeftOut)
	m.s.ByProducts = union(m.s.ByProducts, m.e.ByProducts)
	m.adopt()
	cutFlights(m.s)
	return nil
}

// adopt fills in, for a session that an older program wrote, what INIT and ASSESS would have recorded: the branch that
// it goes on with, and where it, and its phase, begin as far as anyone can still tell.
func (m bookkeeping) adopt() {
	if m.e.Branch == "" || m.s.Branch != "" || len(m.s.Phases) == 0 {
		return
	}
	m.s.Branch, m.s.Bases = m.e.Branch, m.e.Bases
	if m.s.StartingCommit == "" {
		m.s.StartingCommit = m.e.Commit
	}
	if p := phase(m.s); p.StartCommit == "" {
		p.StartCommit = m.e.Commit
	}
}

// union adds to a list what it does not hold yet.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func (m bookkeeping) used() error {
	if m.e.Usage == nil {
		return m.illegal("it carries no usage")
	}
	m.s.Usage = m.s.Usage.Plus(*m.e.Usage)
	if i, d := m.e.Phase-1, m.e.Dispatch; d != nil && i >= 0 && i < len(m.s.Phases) {
		of := &m.s.Phases[i].Dispatches
		*of = counting(*of, d.Purpose, (*of)[d.Purpose]+1)
		m.asideBegan()
	}
	return nil
}

func (m bookkeeping) noted() error {
	m.s.Notes = append(m.s.Notes, m.e.Detail)
	return nil
}

// ask opens a gate. Where one is open already, that one waits in Suspended.
func (m *move) ask(kind GateKind, options []Option, question string, context ...string) *Gate {
	if m.s.Gate != nil {
		m.s.Suspended = append(m.s.Suspended, *m.s.Gate)
	}
	m.s.Gate = &Gate{
		ID: gateID(m.e.Rev), Kind: kind, State: m.s.CurrentState, Phase: m.s.CurrentPhase,
		Question: question, Options: slices.Clone(options), Context: context, AskedAt: m.e.Time, Task: m.s.CurrentTask,
	}
	if m.lane != nil {
		m.s.Gate.Task = m.lane.ID
	}
	return m.s.Gate
}

// hold lets a question wait until the lanes are quiet: a wave drains first.
func (m *move) hold() {
	if m.s.Gate == nil || m.before.Gate != nil {
		return
	}
	if m.lane != nil {
		m.lane.Lane.Held = true
	}
	if m.lane != nil || m.s.LanesBusy() {
		m.s.Suspended, m.s.Gate = append(m.s.Suspended, *m.s.Gate), nil
	}
}

func gateID(rev int64) string { return "g" + strconv.FormatInt(rev, 10) }

// asking opens questions that come from no step.
type asking struct{ *move }

// gateRaised opens a gate for something that the driver met outside the tables.
func (m asking) gateRaised() error {
	switch m.e.Kind {
	case GateEffectUnclear:
		if effectInFlight(m.s) == nil {
			return m.illegal("no effect is in flight")
		}
		m.ask(GateEffectUnclear, gateOptions[GateEffectUnclear],
			"It is not clear whether a commit was made before the stop. Take what is there, or do it again?", m.e.Detail)
	case GatePause:
		return m.pauseRaised()
	case GateBlocked:
		m.ask(GateBlocked, blockedOptions(m.s.CurrentState), m.e.Detail)
	default:
		return m.illegal(fmt.Sprintf("gate %s opens only through its own cause", m.e.Kind))
	}
	return nil
}
