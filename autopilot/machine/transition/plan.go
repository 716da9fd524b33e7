package transition

import (
	"cmp"
	"fmt"
	"slices"

	"autopilot/autopilot/machine"
)

// enterPlan begins the making of a plan: a human's for a high-complexity phase or where one was asked for, else the
// planner's, at thorough a skeleton first.
func (m planning) enterPlan() {
	p := phase(m.s)
	p.PlanHint, p.Planning, p.Assumptions = "", machine.Planning{Stood: m.e.Stood}, nil
	p.Revised = p.Revised || m.took == machine.Revise
	switch {
	case p.Complexity == machine.High || p.PlanWanted:
		m.s.Step = machine.StepAwait
		m.wantPlan("")
	case m.s.RigorLevel == machine.Thorough && p.Skeleton == "":
		m.s.Step = machine.StepSkeleton
	default:
		m.s.Step = machine.StepPlan
	}
}

func (m planning) wantPlan(trouble string) {
	p := phase(m.s)
	question := fmt.Sprintf("Phase %s (%s) is of high complexity: its plan is yours to make. Is it there?", p.Number, p.Name)
	if p.Complexity != machine.High {
		question = fmt.Sprintf("The plan of phase %s (%s) is yours to make. Is it there?", p.Number, p.Name)
	}
	p.Planning.Trouble = trouble
	m.ask(machine.GatePlanWanted, question, aboutPlans(p)...)
}

func (m planning) inPlan() error {
	switch m.e.Type {
	case machine.DispatchEnded:
		if m.s.Step == machine.StepSkeletonReply {
			return dispatching(m).ended(machine.StepSkeleton, m.skeletonReplied)
		}
		return dispatching(m).ended(machine.StepPlan, m.planReplied)
	case machine.PlanRead:
		if m.e.Plan == nil || len(m.e.Plan.Tasks) == 0 {
			return m.illegal("it carries no plan with a task")
		}
		p := phase(m.s)
		if m.e.Plan.SHA256 != p.PlanSHA256 {
			p.Concerns = nil // they were about the last one
		}
		p.Concerns = union(p.Concerns, p.Planning.Raised)
		p.OwnSHA256 = cmp.Or(m.e.Own, p.OwnSHA256)
		readPlan(m.s, m.e.Plan)
		return m.edge(machine.PlanReady)
	}
	return m.planMissing()
}

func (m planning) skeletonReplied(r *machine.Reply) error {
	p := phase(m.s)
	if r.Status == "failed" {
		return dispatching(m).retryOrAsk(machine.StepSkeleton, "the planner reported that it failed: "+r.Summary)
	}
	p.Concerns, p.Tries, p.Failure, p.Remark = r.Concerns, 0, "", ""
	m.ask(machine.GateApproveSkeleton, fmt.Sprintf("The skeleton of the plan of phase %s is ready. Go on to the full plan?", p.Number),
		append(line(r.Summary), r.Concerns...)...)
	return nil
}

func (m planning) planReplied(r *machine.Reply) error {
	p := phase(m.s)
	if r.Status == "failed" {
		return dispatching(m).retryOrAsk(machine.StepPlan, "the planner reported that it failed: "+r.Summary)
	}
	p.Planning.Raised, p.PlanHint, p.Planning.Brought, m.s.Step = r.Concerns, r.PlanPath, false, machine.StepFind
	p.Assumptions = r.Assumptions
	return nil
}

// planMissing: a human's plan is asked for again; of several plans a human says which; the planner is told once that it
// produced nothing.
func (m planning) planMissing() error {
	p := phase(m.s)
	p.Planning.Several = m.e.Several
	if p.Complexity == machine.High || p.PlanWanted {
		m.s.Step = machine.StepAwait
		m.wantPlan(m.e.Detail)
		return nil
	}
	if m.e.Several {
		m.askWhich()
		return nil
	}
	return dispatching(m).retryOrAsk(machine.StepPlan, m.e.Detail)
}

// planBrought takes a human's word on a phase whose plan is not approved yet: its plan is there, at the path in Detail,
// or, without a path, is to be waited for. A phase that is not planned yet is planned with it when it comes.
func (m planning) planBrought() error {
	if err := m.quiet(); err != nil {
		return err
	}
	i, path := m.e.Phase-1, m.e.Detail
	if i < 0 || i >= len(m.s.Phases) {
		return &machine.AnswerError{Reason: "there is no such phase"}
	}
	p := &m.s.Phases[i]
	current := isInWork(m.s, i)
	if p.Over() || current && m.s.CurrentState != machine.Assess && m.s.CurrentState != machine.Plan {
		return &machine.AnswerError{Reason: "phase " + p.Number + " has its plan already"}
	}
	word := "plan: brought"
	if path == "" {
		word = "plan: wanted"
	}
	m.decide(word, path, m.e.By).Phase = i
	p.OwnSHA256 = m.e.Own
	if !current || m.s.CurrentState == machine.Assess {
		p.PlanWanted = true
		if path != "" {
			p.PlanPath, p.PlanSHA256 = path, ""
		}
		return nil
	}
	return m.broughtNow(p, path)
}

// settledByAPlan are the questions of PLAN that are over once a human brings the plan.
var settledByAPlan = []machine.GateKind{machine.GatePlanWanted, machine.GateApproveSkeleton, machine.GateNoOutput, machine.GateBlocked}

// broughtNow settles the question of PLAN about the plan that a human brought, or opens the one that waits for it.
func (m planning) broughtNow(p *machine.Phase, path string) error {
	if g := m.s.Gate; g != nil && slices.Contains(settledByAPlan, g.Kind) {
		m.s.Gate = nil
	}
	if path == "" {
		p.PlanWanted, p.Planning, m.s.Step = true, machine.Planning{Stood: m.e.Stood}, machine.StepAwait
		m.wantPlan("")
		return nil
	}
	p.PlanHint, p.Planning.Brought, p.Assumptions, m.s.Step = path, true, nil, machine.StepFind
	resumeGate(m.s)
	return nil
}

// askWhich asks a human which of several plans of the planner is meant.
func (m planning) askWhich() {
	p := phase(m.s)
	p.Failure, p.Planning.Trouble, m.s.Step = m.e.Detail, m.e.Detail, machine.StepPlan
	m.ask(machine.GateNoOutput, "There are several plans for phase "+p.Number+" ("+p.Name+"). Which one is it?", aboutPlans(p)...)
}

// plansSeen has an open question about a plan say what the folders hold now; its id stays.
func (m planning) plansSeen() error {
	g, p := m.s.Gate, phase(m.s)
	waits := g != nil && (g.Kind == machine.GatePlanWanted || g.Kind == machine.GateNoOutput && p.Planning.Several)
	if m.s.CurrentState != machine.Plan || !waits {
		return m.illegal("no question about the plan is open")
	}
	p.Planning.Trouble = m.e.Detail
	g.Context = aboutPlans(p)
	return nil
}

// aboutPlans helps to decide on a question about a plan: what is there, and what was said of the last one.
func aboutPlans(p *machine.Phase) []string {
	lines := line(p.Planning.Trouble)
	if p.Remark != "" {
		lines = append(lines, "The last plan was sent back: "+p.Remark)
	}
	return lines
}
