package journal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/autopilot/workspace"
)

// observe tells what an event changed: people, progress.txt, and the projections.
func (j *Journal) observe(before, after machine.State, ev machine.Event) {
	j.observeEvent(before, after, ev)
	known := func(path string) bool { return slices.Contains(before.ByProducts, path) }
	if fresh := slices.DeleteFunc(slices.Clone(after.ByProducts), known); len(fresh) > 0 {
		j.Note("info", "Left behind by commands, and never committed: "+Ignorable(fresh))
	}
	if len(after.Decisions) > len(before.Decisions) {
		d := after.Decisions[len(after.Decisions)-1]
		j.Report.Report(Note{Event: "decision", Text: decisionLine(after, d), Fields: map[string]any{"decision": d.Shown()}, Detail: d.Decision == "unverified"})
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: decisionLine(after, d)})
	}
	if before.CurrentState != after.CurrentState {
		j.Report.Report(Note{Event: "state", Text: stateLine(after), Fields: map[string]any{
			"from": before.CurrentState, "state": after.CurrentState, "phase": after.CurrentPhase + 1,
		}})
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: stateLine(after)})
	}
	if g := after.Gate; g != nil && (before.Gate == nil || before.Gate.ID != g.ID) {
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: fmt.Sprintf("question %s (%s): %s", g.ID, g.Called(), g.Question)})
	}
	if ev.Type != machine.Used && ev.Type != machine.SnapshotTaken { // nothing of them is shown
		if err := j.Files.Project(after); err != nil {
			j.Note("warning", "The files for other tools could not be written: "+err.Error())
		}
	}
}

// Ignorable lists files, and the line that has git ignore them.
func Ignorable(files []string) string {
	return strings.Join(words.FirstFew(files, 8), ", ") + ". To have git ignore them, " + Ignoring(files)
}

// Ignoring is the line that has git ignore files.
func Ignoring(files []string) string {
	return "add to .gitignore: /" + strings.Join(files[:min(len(files), 8)], " /")
}

func stateLine(s machine.State) string {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done || s.CurrentState == machine.Init {
		return string(s.CurrentState)
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("%s  phase %s, %d of %d: %s", s.CurrentState, p.Number, s.CurrentPhase+1, len(s.Phases), p.Name)
}

func decisionLine(s machine.State, d machine.Decision) string {
	line := "decision: " + strings.ReplaceAll(d.Decision, "_", " ") + " (by " + d.By
	if d.Reason != "" {
		line += ": " + words.OneLine(d.Reason)
	}
	return line + ")" + approved(s, d)
}

// logged keeps in progress.txt what people look for there afterwards, in a line.
func (j *Journal) logged(task, text string) {
	j.Progress(ProgressLine{Type: "CHECKPOINT", Task: task, Message: j.Mask.Shorten(words.OneLine(text), 500)})
}

// approved says what a person would have seen of a plan that a rule approved.
func approved(s machine.State, d machine.Decision) string {
	if d.Signals == nil || d.Phase < 0 || d.Phase >= len(s.Phases) {
		return ""
	}
	text := "; complexity: " + string(s.Phases[d.Phase].Complexity)
	if d.Signals.ComplexityOverride != "" {
		text += ", by its plan " + string(d.Signals.ComplexityOverride)
	}
	return text + "; concerns: " + cmp.Or(words.OneLine(strings.Join(d.Signals.Concerns, "; ")), "none")
}

// purpose says for people what a dispatch is for, where that is not its persona's usual work.
func purpose(d *machine.Dispatch) string {
	switch d.Purpose {
	case "":
		return ""
	case machine.BlindPurpose:
		return " (blind checks)"
	}
	return " (" + d.Purpose + ")"
}

// observeEvent says what happened inside a state.
func (j *Journal) observeEvent(before, after machine.State, ev machine.Event) {
	report := j.Report
	if id := besideOthers(before, ev); id != "" {
		report = tagged{report, id}
	}
	switch ev.Type {
	case machine.Dispatched:
		d := ev.Dispatch
		report.Report(Note{Event: "dispatch", Text: d.Persona + " dispatched" + purpose(d), Fields: map[string]any{
			"id": d.ID, "persona": d.Persona, "purpose": d.Purpose, "task": d.Task, "attempt": d.Attempt,
		}})
	case machine.DispatchEnded:
		fields := map[string]any{"id": ev.Ended.ID, "outcome": ev.Ended.Outcome}
		text := "ended: " + strings.ReplaceAll(string(ev.Ended.Outcome), "_", " ")
		if ev.Ended.Outcome == machine.OutcomeLimited { // of its backend, or a budget
			text = map[bool]string{false: "ended by a limit", true: "ended by an outage"}[ev.Ended.Outage]
		}
		if r := ev.Ended.Reply; r != nil {
			text, fields["status"], fields["summary"] = "reply: "+r.Status+": "+words.OneLine(r.Summary), r.Status, r.Summary
		} else if ev.Ended.Outcome == machine.OutcomeWaiting {
			text = "waits for a person: the prompt is written" // the question says where
		} else if ev.Ended.Detail != "" {
			text += ": " + words.OneLine(ev.Ended.Detail)
		}
		if ev.Ended.Metrics != nil {
			fields["metrics"], fields["used"] = ev.Ended.Metrics.Counts(), ev.Ended.Used
		}
		if d := before.FlightOf(func(d *machine.Dispatch) bool { return d.ID == ev.Ended.ID }); d != nil {
			fields["purpose"] = d.Purpose
			j.logged(d.Task, d.Persona+purpose(d)+" "+text)
		}
		report.Report(Note{Event: "reply", Text: text, Fields: fields})
		for _, f := range ev.Ended.Findings { // with where what was there is kept
			tellFinding(report, f, workspace.WithRationale(f.String(), f))
		}
	case machine.TaskStarted:
		if t, ok := after.Task(ev.Task); ok && t.Status == machine.TaskRunning && ev.Base != "" {
			j.taskNote(t, "task", fmt.Sprintf("%s, attempt %d of %d: %s", t.ID, len(t.Failures())+1, after.RetryBudget.MaxAttempts+1+t.Extra, t.Title))
			j.Progress(ProgressLine{Type: "Starting", Task: t.ID, Message: fmt.Sprintf("%s (base=%s)", t.Title, words.Commit(t.Base))})
		}
	}
	if ev.Type == machine.Validated || ev.Type == machine.Checked {
		TellFindings(report, ev.Findings)
	}
	for _, e := range after.Register[min(len(before.Register), len(after.Register)):] {
		j.logged(e.Task, "found "+e.String())
	}
	switch ev.Type {
	case machine.Validated, machine.Checked:
		for _, c := range ev.Checks {
			j.logged(ev.Task, "check "+c.Command+": "+strings.ReplaceAll(c.Outcome, "_", " "))
		}
	case machine.BlindChecked:
		j.logged("", "blind checks: "+ev.Reading.Summary())
	case machine.PlanMissing, machine.CommitRefused:
		j.logged(ev.Task, "refused: "+ev.Detail)
	}
	j.observeTasks(before, after)
	if n := len(after.History); n > len(before.History) {
		j.tellPhase(after, after.History[n-1])
	}
	if before.CurrentState == machine.FinalReview && after.CurrentState == machine.Done { // what blocked was in a question
		TellFindings(report, slices.DeleteFunc(slices.Clone(after.FinalReview.Findings), func(f machine.Finding) bool { return f.Overridden }))
	}
}
