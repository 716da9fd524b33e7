package transition

import (
	"slices"
	"strings"

	"autopilot/autopilot/machine"
)

func (m bookkeeping) runStarted() error {
	m.s.Runs++
	m.s.Edition = max(m.s.Edition, m.e.Edition)
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

func (m bookkeeping) used() error {
	if m.e.Usage == nil {
		return m.illegal("it carries no usage")
	}
	m.s.Usage = m.s.Usage.Plus(*m.e.Usage)
	if i, d := m.e.Phase-1, m.e.Dispatch; d != nil && i >= 0 && i < len(m.s.Phases) {
		of := &m.s.Phases[i].Dispatches
		*of = counting(*of, d.Purpose, (*of)[d.Purpose]+1)
		if m.e.Stood != nil { // an older program recorded no such beginning
			m.s.Aside = &machine.Aside{Dispatch: *d, Phase: m.e.Phase, Stood: m.e.Stood}
		}
	}
	return nil
}

func (m bookkeeping) noted() error {
	m.s.Notes = append(m.s.Notes, m.e.Detail)
	return nil
}

// snapshotTaken keeps how a task's validation ended before the work. Snapshots themselves are kept for every event.
func (m bookkeeping) snapshotTaken() error {
	if m.e.Before == nil {
		return nil
	}
	t := machine.FindTask(m.s.Tasks, m.e.Task)
	if t == nil {
		return m.illegal("it names no task")
	}
	t.Before = m.e.Before
	return nil
}

// asideEnded ends that planner's work. Where the current phase waits for its plan, what the planner left counts like the
// files that were there before: nobody but a person can make one of them the plan.
func (m bookkeeping) asideEnded() error {
	if m.s.Aside == nil {
		return m.illegal("no planner is at work beside the states")
	}
	m.s.Aside = nil
	if m.s.CurrentState == machine.Plan && m.e.Stood != nil {
		phase(m.s).Planning.Stood = m.e.Stood
	}
	return nil
}

// keepSnapshots takes over the snapshots that the event names, and drops those of a dispatch that ended.
func (m *move) keepSnapshots() {
	var ended string
	switch {
	case m.e.Type == machine.DispatchEnded:
		ended = m.e.Ended.ID
	case m.e.Type == machine.AsideEnded:
		ended = m.before.Aside.Dispatch.ID
	case len(m.e.Snapshots) == 0:
		return
	}
	kept := slices.DeleteFunc(slices.Clone(m.s.Snapshots), func(s machine.Snapshot) bool {
		renewed := slices.ContainsFunc(m.e.Snapshots, func(n machine.Snapshot) bool { return n.Of == s.Of })
		return renewed || ended != "" && (s.Of == ended || strings.HasPrefix(s.Of, ended+"/"))
	})
	for _, s := range m.e.Snapshots {
		if s.Commit != "" {
			kept = append(kept, s)
		}
	}
	m.s.Snapshots = kept
}
