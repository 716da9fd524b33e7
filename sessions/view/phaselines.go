package view

import (
	"strings"

	"autopilot/autopilot/machine"
)

// phases tells where a phase begins and ends.
func (w *writer) phases() {
	for _, h := range w.after.History[min(len(w.before.History), len(w.after.History)):] {
		w.phaseDone(h)
	}
	s, entered := w.after, w.after.CurrentState != w.before.CurrentState
	p, ok := phaseOf(s)
	switch {
	case entered && s.CurrentState == machine.Assess && ok:
		complexity := ""
		if p.Complexity == machine.High || p.Complexity == machine.Medium {
			complexity = string(p.Complexity) + " complexity"
		}
		w.add("phase", "", Joined("Phase "+of(s.CurrentPhase+1, len(s.Phases)), p.Name, complexity))
	case entered && s.CurrentState == machine.FinalReview:
		w.add("phase", "", "Final review")
	case entered && s.CurrentState == machine.Done:
		w.add("phase", Passed, Joined("Final review "+strings.ReplaceAll(s.FinalReview.Status, "_", " "), leftWords(s.Register, 0)), leftLines(s.Register, 0)...)
	case w.e.Type == machine.Closed && s.Step == machine.StepClosed:
		line := w.add("done", Passed, Joined("Done", totals(s)))
		line.Seconds, line.USD = s.Elapsed, s.Usage.CostUSD
	}
}

func (w *writer) phaseDone(h machine.HistoryEntry) {
	s := w.after
	name := "Phase " + s.PhaseNumber(h.Phase)
	if h.Outcome == "skipped" {
		w.add("phase", Skipped, Joined(name, "skipped"))
		return
	}
	mark, checked := Passed, "not checked"
	switch {
	case h.VerificationPassed != nil && *h.VerificationPassed:
		checked = "checked"
	case h.VerificationPassed != nil:
		checked = "checks failed"
	}
	if h.Outcome != "complete" {
		mark, checked = Broken, checked+", counts as failed"
	}
	retries := ""
	if h.RetriesUsed > 0 {
		retries = ", " + machine.Plural(h.RetriesUsed, "retry", "retries")
	}
	reviewed := ""
	if h.Phase < len(s.Phases) && len(s.Phases[h.Phase].Judged) > 0 {
		reviewed = ", reviewed"
	}
	line := w.add("phase", mark, Joined(name+" done", machine.Plural(h.TasksCompleted, "task", "tasks")+retries, checked+reviewed), leftLines(s.Register, h.Phase+1)...)
	line.Seconds, line.USD = s.Elapsed-w.t.phaseAt, h.Usage.CostUSD
}

// leftWords count the findings of a phase that nothing mended.
func leftWords(r machine.Register, phase int) string {
	n := len(r.Left().Phase(phase))
	if n == 0 {
		return ""
	}
	return machine.Plural(n, "finding left", "findings left")
}

// leftLines name them.
func leftLines(r machine.Register, phase int) (lines []string) {
	for _, e := range r.Left() {
		if e.Phase == phase {
			lines = append(lines, e.String())
		}
	}
	return lines
}
