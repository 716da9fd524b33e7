package view

import (
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// decided tells of decisions: plans that were approved, and what a person answered.
func (w *writer) decided() {
	for n, d := range w.after.Decisions {
		if n < len(w.before.Decisions) {
			continue
		}
		w.t.decided[n], _ = w.choice(d)
		waited := 0.0
		if g := w.before.Gate; g != nil && d.Gate == g.ID {
			waited = max(0, w.e.Time.Sub(g.AskedAt).Seconds())
		}
		if text := w.approval(d); text != "" {
			line := w.add("plan", Passed, text)
			if line.Seconds = waited; waited == 0 {
				line.Seconds = w.after.Elapsed - w.t.phaseAt
			}
			if p, ok := phaseOf(w.after); ok {
				line.USD = p.SpentPlanning.CostUSD
			}
			continue
		}
		if d.Gate == "" && (d.By == "rule" || strings.HasPrefix(d.Decision, "phases: ")) {
			continue // what it led to is told
		}
		if d.Decision == machine.AutoFixDecision {
			w.add("decision", "", Joined("Findings are fixed without asking (fix.auto)", d.Reason))
			continue
		}
		w.add("decision", "", Joined(w.decision(d), firstOf(d.Reason))).Seconds = waited
	}
}

// decision says what was decided, and by whom.
func (w *writer) decision(d machine.Decision) string {
	who := Capital(by(d.By))
	choice, answers := w.choice(d)
	switch {
	case d.Decision == "plan: brought":
		return who + " brought the plan"
	case !answers:
		return fmt.Sprintf("%s decided: %s", who, strings.ReplaceAll(d.Decision, "_", " "))
	}
	return fmt.Sprintf("%s chose %s", who, choice)
}

// choice is the answer to the question that was open, with what that was about.
func (w *writer) choice(d machine.Decision) (text string, answers bool) {
	_, option, answers := strings.Cut(d.Decision, ": ")
	g := w.before.Gate
	if !answers || g == nil || g.ID != d.Gate {
		return "", false
	}
	if o, ok := g.Option(option); ok {
		option = o.Word()
	}
	if g.Kind == machine.GateContinue {
		return option, true
	}
	return option + ": " + strings.TrimSuffix(asked(w.before, *g).do, "?"), true
}

// approval is the line about a plan that was approved; "" of any other decision.
func (w *writer) approval(d machine.Decision) string {
	p, ok := phaseOf(w.after)
	n := machine.Plural(len(w.after.Tasks), "task", "tasks")
	if bare := len(slices.DeleteFunc(slices.Clone(w.after.Tasks), func(t machine.Task) bool { return t.Validation != "" })); bare > 0 {
		n += fmt.Sprintf(" (%d without a check of its own)", bare)
	}
	switch {
	case !ok || d.PlanSHA == "":
		return ""
	case d.Signals != nil && d.By == "rule":
		return fmt.Sprintf("Plan: %s, approved by rule (%s complexity)", n, p.Complexity)
	case d.By == "rule":
		return fmt.Sprintf("Plan: %s, approved by rule", n)
	}
	return Joined(Capital(by(d.By))+" approved the plan", n)
}

// by is who decided: you, you (with the reply file), --yes, rule.
func by(who string) string {
	how, you := strings.CutPrefix(who, "human")
	switch {
	case !you:
		return who
	case how == "":
		return "you"
	}
	return "you (" + strings.TrimPrefix(how, ", ") + ")"
}

// wishes tells what a person changed beside the questions.
func (w *writer) wishes() {
	phase := phaseName(w.after, w.e.Phase-1)
	switch w.e.Type {
	case machine.PhaseRedone:
		w.add("decision", "", Joined(Capital(by(w.e.By))+" had "+phase+" done again", w.e.Detail))
	case machine.PhaseLeftOut:
		w.add("decision", "", Joined(Capital(by(w.e.By))+" left "+phase+" out", w.e.Detail))
	case machine.PhasesReordered:
		w.add("decision", "", Joined(Capital(by(w.e.By))+" changed the order of the phases", w.e.Detail))
	case machine.FindingDismissed:
		w.add("decision", "", Joined(Capital(by(w.e.By))+" dismissed finding "+w.e.Finding, w.e.Detail))
	case machine.Noted:
		w.add("note", "", "Note: "+firstOf(w.e.Detail))
	case machine.SpecReread, machine.PhasesAdded:
		w.add("run", "", Joined("The spec was read again", machine.Plural(len(w.after.Phases), "phase", "phases")))
	}
}

// asked tells of a question that opened.
func (w *writer) asked() {
	g := w.after.Gate
	if g == nil || w.before.Gate != nil && w.before.Gate.ID == g.ID {
		return
	}
	shown := gateOf(w.after, nil)
	detail := append(append([]string{}, shown.Because...), shown.Notes...)
	for _, e := range shown.Blocking {
		detail = append(detail, e.String())
	}
	w.add("question", Asking, Capital(asked(w.after, *g).do), words.FirstFew(detail, 8)...)
}
