package machine

import "slices"

// Stood is what the folders for plans hold at a moment: the path of each Markdown file, relative to the working tree,
// with a hash of its bytes. Drafts are left out.
type Stood map[string]string

// Planning is what is known while a phase's plan is made: from the moment when it is wanted until it is read.
type Planning struct {
	Stood   Stood    `json:"stood,omitzero"`    // when it was wanted: only what is new or changed since is its product
	Brought bool     `json:"brought,omitempty"` // the plan hint is a human's word
	Several bool     `json:"several,omitempty"` // the open question is which of several plans it is
	Trouble string   `json:"trouble,omitempty"` // what the open question says of the files that are there
	Raised  []string `json:"raised,omitempty"`  // the planner's concerns, until its plan is read
}

// planBrought takes a human's word on a phase whose plan is not approved yet: its plan is there, at the path in Detail,
// or, without a path, is to be waited for. A phase that is not planned yet is planned with it when it comes.
func (m planning) planBrought() error {
	if err := m.quiet(); err != nil {
		return err
	}
	i, path := m.e.Phase-1, m.e.Detail
	if i < 0 || i >= len(m.s.Phases) {
		return &AnswerError{Reason: "there is no such phase"}
	}
	p := &m.s.Phases[i]
	current := isInWork(m.s, i)
	if p.Over() || current && m.s.CurrentState != Assess && m.s.CurrentState != Plan {
		return &AnswerError{Reason: "phase " + p.Number + " has its plan already"}
	}
	word := "plan: brought"
	if path == "" {
		word = "plan: wanted"
	}
	m.decide(word, path, m.e.By).Phase = i
	if !current || m.s.CurrentState == Assess {
		p.PlanWanted = true
		if path != "" {
			p.PlanPath, p.PlanSHA256 = path, ""
		}
		return nil
	}
	return m.broughtNow(p, path)
}

// settledByAPlan are the questions of PLAN that are over once a human brings the plan.
var settledByAPlan = []GateKind{GatePlanWanted, GateApproveSkeleton, GateNoOutput, GateBlocked}

// broughtNow settles the question of PLAN about the plan that a human brought, or opens the one that waits for it.
func (m planning) broughtNow(p *Phase, path string) error {
	if g := m.s.Gate; g != nil && slices.Contains(settledByAPlan, g.Kind) {
		m.s.Gate = nil
	}
	if path == "" {
		p.PlanWanted, p.Planning, m.s.Step = true, Planning{Stood: m.e.Stood}, StepAwait
		m.wantPlan("")
		return nil
	}
	p.PlanHint, p.Planning.Brought, m.s.Step = path, true, StepFind
	resumeGate(m.s)
	return nil
}

// askWhich asks a human which of several plans of the planner is meant.
func (m planning) askWhich() {
	p := phase(m.s)
	p.Failure, p.Planning.Trouble, m.s.Step = m.e.Detail, m.e.Detail, StepPlan
	m.ask(GateNoOutput, blockedOptions(Plan),
		"There are several plans for phase "+p.Number+" ("+p.Name+"). Which one is it?", aboutPlans(p)...)
}

// plansSeen has an open question about a plan say what the folders hold now; its id stays.
func (m planning) plansSeen() error {
	g, p := m.s.Gate, phase(m.s)
	waits := g != nil && (g.Kind == GatePlanWanted || g.Kind == GateNoOutput && p.Planning.Several)
	if m.s.CurrentState != Plan || !waits {
		return m.illegal("no question about the plan is open")
	}
	p.Planning.Trouble = m.e.Detail
	g.Context = aboutPlans(p)
	return nil
}

// aboutPlans helps to decide on a question about a plan: what is there, and what was said of the last one.
func aboutPlans(p *Phase) []string {
	lines := nonEmpty(p.Planning.Trouble)
	if p.Remark != "" {
		lines = append(lines, "The last plan was sent back: "+p.Remark)
	}
	return lines
}

// Aside is a planner that a person started beside the states (plan --draft, plan --interactive) and whose end is not
// recorded yet.
type Aside struct {
	Dispatch Dispatch `json:"dispatch"`
	Phase    int      `json:"phase"`          // 1-based position
	Stood    Stood    `json:"stood,omitzero"` // when it began: what is new or changed since may be its work
}

// asideBegan remembers that a planner is at work beside the states. An older program recorded no such beginning.
func (m bookkeeping) asideBegan() {
	if m.e.Stood != nil {
		m.s.Aside = &Aside{Dispatch: *m.e.Dispatch, Phase: m.e.Phase, Stood: m.e.Stood}
	}
}

// asideEnded ends that planner's work. Where the current phase waits for its plan, what the planner left counts like the
// files that were there before: nobody but a person can make one of them the plan.
func (m bookkeeping) asideEnded() error {
	if m.s.Aside == nil {
		return m.illegal("no planner is at work beside the states")
	}
	m.s.Aside = nil
	if m.s.CurrentState == Plan && m.e.Stood != nil {
		phase(m.s).Planning.Stood = m.e.Stood
	}
	return nil
}
