package transition

import (
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
)

func (m approving) signals(w *machine.Weighed) machine.Signals {
	p := phase(m.s)
	return machine.Signals{
		ReviewPlans: m.s.ReviewPlans, HighComplexity: p.Complexity == machine.High, ComplexityOverride: p.ComplexityOverride,
		Concerns: p.Concerns, Tasks: len(m.s.Tasks), Imported: m.s.IsImported, SpecChanged: p.Reread, Revised: p.Revised, Edited: p.Edited,
		DirtyFiles: w.DirtyFiles, Waived: w.Waived, ChangedTests: w.ChangedTests, ChecksTouched: w.ChecksTouched,
	}
}

func (m approving) inApprovePlan() error {
	if m.e.Type == machine.PlanEdited {
		if m.e.Plan == nil {
			return m.illegal("it carries no plan")
		}
		m.s.Gate = nil
		editedPlan(m.s, m.e.Plan)
		return nil
	}
	if m.e.Weighed == nil {
		return m.illegal("it carries nothing that was weighed")
	}
	signals := m.signals(m.e.Weighed)
	fired := signals.Fired()
	if hindrances := machine.Hindrances(m.s.Tasks); len(hindrances) > 0 {
		m.askUnrunnable(hindrances, fired)
		return nil
	}
	switch {
	case m.s.RigorLevel == machine.Fast && !m.s.ReviewPlans && signals.Tasks > 0:
		reason := "fast rigor approves plans by rule"
		if signals.Edited {
			reason += ", this one too, which was edited by hand"
		}
		m.approve(m.ruled("auto_approved_plan_fast", reason, signals))
	case m.s.RigorLevel == machine.Standard && len(fired) == 0:
		m.approve(m.ruled("auto_approved_plan", "no signal fired", signals))
	case m.s.RigorLevel == machine.Standard && signals.HighComplexity && len(fired) == 1 && m.isOwn():
		m.approve(m.ruled("approved_own_plan", "you wrote this plan, and high complexity is the only signal", signals))
	default:
		if m.s.RigorLevel == machine.Thorough {
			fired = append(fired, "thorough rigor shows every plan")
		}
		if m.s.Edition >= 1 {
			for _, c := range m.s.Checkpoints {
				fired = append(fired, c.String())
			}
		}
		m.ask(machine.GateApprovePlan, fmt.Sprintf("The plan of phase %s (%s) has %s: %s. Run it?", phase(m.s).Number, phase(m.s).Name, machine.Plural(len(m.s.Tasks), "task", "tasks"), phase(m.s).PlanPath),
			append(fired, assumed(phase(m.s))...)...)
		return nil
	}
	return m.edge(machine.Approved)
}

// isOwn says whether the plan is word for word the one that a person made without any agent.
func (m approving) isOwn() bool {
	p := phase(m.s)
	return p.OwnSHA256 != "" && p.OwnSHA256 == p.PlanSHA256
}

// assumed are the lines about what a plan takes for granted. They fire nothing.
func assumed(p *machine.Phase) (lines []string) {
	for _, a := range p.Assumptions {
		lines = append(lines, "the plan assumes: "+a)
	}
	return lines
}

func (m approving) ruled(decision, reason string, signals machine.Signals) *machine.Decision {
	d := m.decide(decision, reason, "rule")
	d.Signals = &signals
	return d
}

// approve marks the plan's content as the one that was said yes to.
func (m approving) approve(d *machine.Decision) {
	p := phase(m.s)
	p.ApprovedSHA256, d.PlanSHA, p.Reread, m.s.IsImported = p.PlanSHA256, p.PlanSHA256, false, false
	p.Revised, p.Edited = false, false
}

// askUnrunnable asks about a plan that cannot be run: yes is no answer to that.
func (m approving) askUnrunnable(hindrances, signals []string) {
	p := phase(m.s)
	why := "the plan cannot be run: " + strings.Join(hindrances, "; ")
	g := m.ask(machine.GateApprovePlan, fmt.Sprintf("The plan of phase %s (%s), %s, cannot be run: %s. What should change?", p.Number, p.Name, p.PlanPath, strings.Join(hindrances, "; ")),
		append([]string{"Edit the plan, and it is looked at again; or have it revised."}, signals...)...)
	refuse(g, "yes", why)
}
