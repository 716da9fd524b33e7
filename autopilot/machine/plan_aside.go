package machine

// Aside is a planner that a person started beside the states (plan --draft, plan --interactive) and whose end is not
// recorded yet.
type Aside struct {
	Dispatch Dispatch `json:"dispatch"`
	Phase    int      `json:"phase"`          // 1-based position
	Stood    Stood    `json:"stood,omitzero"` // when it began: what is new or changed since may be its work
}

// asideBegan remembers that a planner is at work beside the states. An older program recorded no such beginning.
func (m *move) asideBegan() {
	if m.e.Stood != nil {
		m.s.Aside = &Aside{Dispatch: *m.e.Dispatch, Phase: m.e.Phase, Stood: m.e.Stood}
	}
}

// asideEnded ends that planner's work. Where the current phase waits for its plan, what the planner left counts like the
// files that were there before: nobody but a person can make one of them the plan.
func (m *move) asideEnded() error {
	if m.s.Aside == nil {
		return m.illegal("no planner is at work beside the states")
	}
	m.s.Aside = nil
	if m.s.CurrentState == Plan && m.e.Stood != nil {
		m.phase().Planning.Stood = m.e.Stood
	}
	return nil
}
