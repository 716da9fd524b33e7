package transition

import (
	"slices"

	"autopilot/autopilot/machine"
)

func (m undoing) undoIntended() error {
	u := m.e.Undo
	if u == nil || u.From == "" || u.To == "" || u.Ref == "" || u.State == nil || u.State.SessionID != m.s.SessionID || len(u.State.InFlight) > 0 {
		return m.illegal("it does not say what the session is to be again")
	}
	if m.s.Aside != nil {
		return m.illegal("a planner was at work, and what became of it comes first")
	}
	intent := *u
	intent.Rev = m.before.Revision
	m.s.Undoing = &intent
	return m.quiet()
}

// undone makes the session what it was. What it used and ran stays counted, and what was learned of limits and of the working
// tree stays known.
func (m undoing) undone() error {
	u, now := m.s.Undoing, m.before
	if u == nil {
		return m.illegal("no undo was begun")
	}
	s := clone(*u.State)
	s.Usage, s.Metrics, s.FinalSpent, s.PausedAt, s.Elapsed = now.Usage, now.Metrics, now.FinalSpent, now.PausedAt, now.Elapsed
	s.FinalReview.Dispatches, s.FinalReview.Fixes = now.FinalReview.Dispatches, now.FinalReview.Fixes
	s.Runs, s.Edition, s.KeysAsked, s.Parallel, s.Evidences = now.Runs, now.Edition, now.KeysAsked, now.Parallel, now.Evidences
	s.LimitedUntil, s.QuotaUsedUp, s.LimitedBackend, s.Limits = now.LimitedUntil, now.QuotaUsedUp, now.LimitedBackend, now.Limits
	s.LeftOut, s.ByProducts, s.Notes, s.Snapshots = now.LeftOut, now.ByProducts, now.Notes, now.Snapshots
	for i := range s.Phases {
		keepSpent(&s.Phases[i], now.Phases)
	}
	*m.s = s
	if !u.Back {
		done := *u
		done.State = nil
		m.s.Undone = &done
		m.decide("undo: phase "+u.Phase, "", "human")
	}
	return nil
}

// keepSpent keeps what the same phase of later used, and how often its personas ran: the next attempts are numbered on.
func keepSpent(p *machine.Phase, later []machine.Phase) {
	i := slices.IndexFunc(later, func(l machine.Phase) bool { return l.Number == p.Number })
	if i >= 0 {
		p.Spent, p.SpentPlanning, p.SpentTasks, p.Dispatches = later[i].Spent, later[i].SpentPlanning, later[i].SpentTasks, later[i].Dispatches
	}
}
