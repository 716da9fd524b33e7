package machine

import (
	"fmt"
	"strings"
)

// manyTasks is the number of tasks above which a plan is shown to a human.
const manyTasks = 15

// Signals are what speaks for showing a plan to a human; a snapshot of them stands in the decision.
type Signals struct {
	ReviewPlans        bool       `json:"reviewPlans"`
	HighComplexity     bool       `json:"highComplexity"`
	ComplexityOverride Complexity `json:"complexityOverride,omitempty"`
	Concerns           []string   `json:"concerns,omitempty"`
	Tasks              int        `json:"tasks"`
	DirtyFiles         []string   `json:"dirtyFiles,omitempty"`
	Waived             []string   `json:"waived,omitempty"`
	ChangedTests       []string   `json:"changedTests,omitempty"`
	ChecksTouched      []string   `json:"checksTouched,omitempty"`
	Imported           bool       `json:"imported,omitempty"`
	SpecChanged        bool       `json:"specChanged,omitempty"`
	Revised            bool       `json:"revised,omitempty"`
	Edited             bool       `json:"edited,omitempty"`
}

// Fired says, in words for people, which signals fired.
func (s Signals) Fired() []string {
	var fired []string
	add := func(on bool, format string, args ...any) {
		if on {
			fired = append(fired, fmt.Sprintf(format, args...))
		}
	}
	add(s.ReviewPlans, "plan reviews were asked for")
	add(s.HighComplexity, "the phase is of high complexity")
	add(s.ComplexityOverride != "", "the plan is larger than a low-complexity phase suggests (%s)", s.ComplexityOverride)
	for _, c := range s.Concerns {
		add(true, "the planner is concerned: %s", c)
	}
	add(s.Tasks == 0, "the plan holds no task")
	add(s.Tasks > manyTasks, "the plan has %d tasks (more than %d)", s.Tasks, manyTasks)
	add(len(s.DirtyFiles) > 0, "the plan names files with your uncommitted changes: %s", strings.Join(s.DirtyFiles, ", "))
	add(len(s.Waived) > 0, "the plan waives the validation of %s", strings.Join(s.Waived, ", "))
	add(len(s.ChangedTests) > 0, "the plan announces changed tests: %s", strings.Join(s.ChangedTests, ", "))
	add(len(s.ChecksTouched) > 0, "the plan names existing CI or validation files: %s", strings.Join(s.ChecksTouched, ", "))
	add(s.Imported, "the session was imported from an older program")
	add(s.SpecChanged, "the spec changed since the plan was made")
	add(s.Revised, "you wanted it revised")
	add(s.Edited, "it was edited by hand since it was last looked at")
	return fired
}

// approving is APPROVE_PLAN: a rule or a human says yes to a plan.
type approving struct{ *move }

func (m approving) signals(w *Weighed) Signals {
	p := phase(m.s)
	return Signals{
		ReviewPlans: m.s.ReviewPlans, HighComplexity: p.Complexity == High, ComplexityOverride: p.ComplexityOverride,
		Concerns: p.Concerns, Tasks: len(m.s.Tasks), Imported: m.s.IsImported, SpecChanged: p.Reread, Revised: p.Revised, Edited: p.Edited,
		DirtyFiles: w.DirtyFiles, Waived: w.Waived, ChangedTests: w.ChangedTests, ChecksTouched: w.ChecksTouched,
	}
}

func (m approving) inApprovePlan() error {
	if m.e.Type == PlanEdited {
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
	if hindrances := Hindrances(m.s.Tasks); len(hindrances) > 0 {
		m.askUnrunnable(hindrances, fired)
		return nil
	}
	switch {
	case m.s.RigorLevel == Fast && !m.s.ReviewPlans && signals.Tasks > 0:
		reason := "fast rigor approves plans by rule"
		if signals.Edited {
			reason += ", this one too, which was edited by hand"
		}
		m.approve(m.ruled("auto_approved_plan_fast", reason, signals))
	case m.s.RigorLevel == Standard && len(fired) == 0:
		m.approve(m.ruled("auto_approved_plan", "no signal fired", signals))
	default:
		if m.s.RigorLevel == Thorough {
			fired = append(fired, "thorough rigor shows every plan")
		}
		m.ask(GateApprovePlan, gateOptions[GateApprovePlan],
			fmt.Sprintf("The plan of phase %s (%s) has %s: %s. Run it?", phase(m.s).Number, phase(m.s).Name, Plural(len(m.s.Tasks), "task", "tasks"), phase(m.s).PlanPath),
			fired...)
		return nil
	}
	return m.edge(Approved)
}

func (m approving) ruled(decision, reason string, signals Signals) *Decision {
	d := m.decide(decision, reason, "rule")
	d.Signals = &signals
	return d
}

// approve marks the plan's content as the one that was said yes to.
func (m approving) approve(d *Decision) {
	p := phase(m.s)
	p.ApprovedSHA256, d.PlanSHA, p.Reread, m.s.IsImported = p.PlanSHA256, p.PlanSHA256, false, false
	p.Revised, p.Edited = false, false
}
