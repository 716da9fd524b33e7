package machine

import (
	"fmt"
	"strings"
)

// planning is PLAN: a plan is made, by the planner or by a human.
type planning struct{ *move }

// enterPlan begins the making of a plan: a human's for a high-complexity phase or where one was asked for, else the
// planner's, at thorough a skeleton first.
func (m planning) enterPlan() {
	p := phase(m.s)
	p.PlanHint, p.Planning = "", Planning{Stood: m.e.Stood}
	p.Revised = p.Revised || m.took == Revise
	switch {
	case p.Complexity == High || p.PlanWanted:
		m.s.Step = StepAwait
		m.wantPlan("")
	case m.s.RigorLevel == Thorough && p.Skeleton == "":
		m.s.Step = StepSkeleton
	default:
		m.s.Step = StepPlan
	}
}

func (m planning) wantPlan(trouble string) {
	p := phase(m.s)
	question := fmt.Sprintf("Phase %s (%s) is of high complexity: its plan is yours to make. Is it there?", p.Number, p.Name)
	if p.Complexity != High {
		question = fmt.Sprintf("The plan of phase %s (%s) is yours to make. Is it there?", p.Number, p.Name)
	}
	p.Planning.Trouble = trouble
	m.ask(GatePlanWanted, gateOptions[GatePlanWanted], question, aboutPlans(p)...)
}

func (m planning) inPlan() error {
	switch m.e.Type {
	case DispatchEnded:
		if m.s.Step == StepSkeletonReply {
			return dispatching(m).ended(StepSkeleton, m.skeletonReplied)
		}
		return dispatching(m).ended(StepPlan, m.planReplied)
	case PlanRead:
		if m.e.Plan == nil || len(m.e.Plan.Tasks) == 0 {
			return m.illegal("it carries no plan with a task")
		}
		m.takeConcerns()
		readPlan(m.s, m.e.Plan)
		return m.edge(PlanReady)
	}
	return m.planMissing()
}

func (m planning) skeletonReplied(r *Reply) error {
	p := phase(m.s)
	if r.Status == "failed" {
		return dispatching(m).retryOrAsk(StepSkeleton, "the planner reported that it failed: "+r.Summary)
	}
	p.Concerns, p.Tries, p.Failure, p.Remark = r.Concerns, 0, "", ""
	m.ask(GateApproveSkeleton, gateOptions[GateApproveSkeleton],
		fmt.Sprintf("The skeleton of the plan of phase %s is ready. Go on to the full plan?", p.Number),
		append(nonEmpty(r.Summary), r.Concerns...)...)
	return nil
}

func (m planning) planReplied(r *Reply) error {
	p := phase(m.s)
	if r.Status == "failed" {
		return dispatching(m).retryOrAsk(StepPlan, "the planner reported that it failed: "+r.Summary)
	}
	p.Planning.Raised, p.PlanHint, p.Planning.Brought, m.s.Step = r.Concerns, r.PlanPath, false, StepFind
	return nil
}

// takeConcerns replaces the concerns about the last plan by those about this one. Those about a plan that comes back as
// it was stay.
func (m planning) takeConcerns() {
	p := phase(m.s)
	if m.e.Plan.SHA256 != p.PlanSHA256 {
		p.Concerns = nil
	}
	p.Concerns = union(p.Concerns, p.Planning.Raised)
}

// planMissing: a human's plan is asked for again; of several plans a human says which; the planner is told once that it
// produced nothing.
func (m planning) planMissing() error {
	p := phase(m.s)
	p.Planning.Several = m.e.Several
	if p.Complexity == High || p.PlanWanted {
		m.s.Step = StepAwait
		m.wantPlan(m.e.Detail)
		return nil
	}
	if m.e.Several {
		m.askWhich()
		return nil
	}
	return dispatching(m).retryOrAsk(StepPlan, m.e.Detail)
}

func nonEmpty(lines ...string) []string {
	var kept []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
