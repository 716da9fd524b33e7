package autopilot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/workspace"
)

// observe tells what an event changed: people, progress.txt, and the projections.
func (e *Engine) observe(before, after machine.State, ev machine.Event) {
	e.observeEvent(before, after, ev)
	if fresh := newIn(after.ByProducts, before.ByProducts); len(fresh) > 0 {
		e.note("info", "Left behind by commands, and never committed: "+ignorable(fresh))
	}
	if len(after.Decisions) > len(before.Decisions) {
		d := after.Decisions[len(after.Decisions)-1]
		e.Report.Report(Note{Event: "decision", Text: decisionLine(d), Fields: map[string]any{"decision": d}, Detail: d.Decision == "unverified"})
		e.progress(ProgressLine{Type: "CHECKPOINT", Message: decisionLine(d)})
	}
	if before.CurrentState != after.CurrentState {
		e.Report.Report(Note{Event: "state", Text: stateLine(after), Fields: map[string]any{
			"from": before.CurrentState, "state": after.CurrentState, "phase": after.CurrentPhase + 1,
		}})
		e.progress(ProgressLine{Type: "CHECKPOINT", Message: stateLine(after)})
	}
	if g := after.Gate; g != nil && (before.Gate == nil || before.Gate.ID != g.ID) {
		e.progress(ProgressLine{Type: "CHECKPOINT", Message: fmt.Sprintf("question %s (%s): %s", g.ID, g.Kind, g.Question)})
	}
	if ev.Type != machine.Used && ev.Type != machine.SnapshotTaken { // nothing of them is shown
		e.projected(e.Records.Project(after))
	}
}

// settleProjections waits until other programs see the present state.
func (e *Engine) settleProjections() { e.projected(e.Records.Settle()) }

// settling begins that; what it returns waits for it. So it goes on while something else is looked at, before a command
// or a hook of the project's is started, which may read those files.
func (e *Engine) settling() (wait func()) {
	settled := alongside(func() (struct{}, error) { return struct{}{}, e.Records.Settle() })
	return func() {
		_, err := settled()
		e.projected(err)
	}
}

func (e *Engine) projected(err error) {
	if err != nil {
		e.note("warning", "The files for other tools could not be written: "+err.Error())
	}
}

// ignorable lists files, and the line that has git ignore them.
func ignorable(files []string) string {
	return strings.Join(firstFew(files, 8), ", ") + ". To have git ignore them, " + ignoring(files)
}

func ignoring(files []string) string {
	return "add to .gitignore: /" + strings.Join(files[:min(len(files), 8)], " /")
}

func stateLine(s machine.State) string {
	if s.CurrentState == machine.FinalReview || s.CurrentState == machine.Done || s.CurrentState == machine.Init {
		return string(s.CurrentState)
	}
	p := s.Phases[s.CurrentPhase]
	return fmt.Sprintf("%s  phase %s, %d of %d: %s", s.CurrentState, p.Number, s.CurrentPhase+1, len(s.Phases), p.Name)
}

func decisionLine(d machine.Decision) string {
	line := "decision: " + strings.ReplaceAll(d.Decision, "_", " ") + " (by " + d.By
	if d.Reason != "" {
		line += ": " + oneLine(d.Reason)
	}
	return line + ")"
}

// observeEvent says what happened inside a state.
func (e *Engine) observeEvent(before, after machine.State, ev machine.Event) {
	report := e.Report
	if id := besideOthers(before, ev); id != "" {
		report = tagged{report, id}
	}
	switch ev.Type {
	case machine.Dispatched:
		d := ev.Dispatch
		text := d.Persona + " dispatched"
		if d.Purpose != "" {
			text += " (" + d.Purpose + ")"
		}
		report.Report(Note{Event: "dispatch", Text: text, Fields: map[string]any{
			"id": d.ID, "persona": d.Persona, "purpose": d.Purpose, "task": d.Task, "attempt": d.Attempt,
		}})
	case machine.DispatchEnded:
		fields := map[string]any{"id": ev.Ended.ID, "outcome": ev.Ended.Outcome}
		text := "ended: " + strings.ReplaceAll(string(ev.Ended.Outcome), "_", " ")
		if ev.Ended.Outcome == machine.OutcomeLimited { // of its backend, or a budget
			text = map[bool]string{false: "ended by a limit", true: "ended by an outage"}[ev.Ended.Outage]
		}
		if r := ev.Ended.Reply; r != nil {
			text, fields["status"], fields["summary"] = "reply: "+r.Status+": "+oneLine(r.Summary), r.Status, r.Summary
		} else if ev.Ended.Outcome == machine.OutcomeWaiting {
			text = "waits for a person: the prompt is written" // the question says where
		} else if ev.Ended.Detail != "" {
			text += ": " + oneLine(ev.Ended.Detail)
		}
		if ev.Ended.Metrics != nil {
			fields["metrics"], fields["used"] = ev.Ended.Metrics.Counts(), ev.Ended.Used
		}
		report.Report(Note{Event: "reply", Text: text, Fields: fields})
		tellPutRight(report, ev.Ended.Findings)
	case machine.TaskStarted:
		if t, ok := after.Task(ev.Task); ok && t.Status == machine.TaskRunning && ev.Base != "" {
			e.taskNote(t, "task", fmt.Sprintf("%s, attempt %d of %d: %s", t.ID, len(t.Failures())+1, after.RetryBudget.MaxAttempts+1+t.Extra, t.Title))
			e.progress(ProgressLine{Type: "Starting", Task: t.ID, Message: fmt.Sprintf("%s (base=%s)", t.Title, short(t.Base))})
		}
	}
	if ev.Type == machine.Validated || ev.Type == machine.Checked {
		tellFindings(report, ev.Findings)
	}
	e.observeTasks(before, after)
	if n := len(after.History); n > len(before.History) {
		e.tellPhase(after, after.History[n-1])
	}
	if before.CurrentState == machine.FinalReview && after.CurrentState == machine.Done { // what blocked was in a question
		tellFindings(report, slices.DeleteFunc(slices.Clone(after.FinalReview.Findings), func(f machine.Finding) bool { return f.Overridden }))
	}
}

// observeTasks reports tasks that were completed and attempts that failed.
func (e *Engine) observeTasks(before, after machine.State) {
	for _, t := range after.Tasks {
		old, known := before.Task(t.ID)
		if !known || len(t.Attempts) <= len(old.Attempts) {
			continue
		}
		last := t.Attempts[len(t.Attempts)-1]
		if last.Result == "passed" {
			e.taskNote(t, "task", t.ID+" completed")
		} else {
			e.taskNote(t, "task", fmt.Sprintf("%s failed: %s", t.ID, e.Mask.Shorten(oneLine(last.Error), 300)))
		}
		e.logAttempt(t)
	}
}

// logAttempt logs how a task's last attempt ended. A run that takes up the session does so again, in case that it was
// killed before; the key keeps the line from standing there twice.
func (e *Engine) logAttempt(t machine.Task) {
	if len(t.Attempts) == 0 {
		return
	}
	last := t.Attempts[len(t.Attempts)-1]
	line := ProgressLine{Type: "ERROR", Task: t.ID, Category: last.Category, Message: e.Mask.Shorten(oneLine(last.Error), 500)}
	if last.Result == "passed" {
		line = ProgressLine{Type: "Completed", Task: t.ID, Message: fmt.Sprintf("%s (commit %s)", t.Title, cmp.Or(short(t.Commit), "none"))}
	}
	line.Key = fmt.Sprintf("%s/%d", t.ID, last.Timestamp.UnixMilli())
	e.progress(line)
}

func (e *Engine) taskNote(t machine.Task, event, text string) {
	e.Report.Report(Note{Event: event, Text: text, Fields: map[string]any{"task": t.ID, "title": t.Title, "status": t.Status, "attempts": len(t.Attempts)}})
}

func tellFindings(report Reporter, findings []machine.Finding) {
	for _, f := range findings {
		tellFinding(report, f, f.String())
	}
}

// tellPutRight says what a dispatch left that was put right, and where what was there is kept.
func tellPutRight(report Reporter, findings []machine.Finding) {
	for _, f := range findings {
		tellFinding(report, f, workspace.WithRationale(f.String(), f))
	}
}

func tellFinding(report Reporter, f machine.Finding, text string) {
	report.Report(Note{Event: "finding", Text: text, Fields: map[string]any{"finding": f}, Detail: f.Severity == machine.Suggestion})
}

// tellPhase sums up a finished phase.
func (e *Engine) tellPhase(s machine.State, h machine.HistoryEntry) {
	text := fmt.Sprintf("phase %s %s: %s, %s, verified: %s, findings: %s, %s, %s",
		s.PhaseNumber(h.Phase), machine.OutcomeWords(h.Outcome), machine.Plural(h.TasksCompleted, "task", "tasks"), machine.Plural(h.RetriesUsed, "retry", "retries"), machine.VerifiedWords(h.VerificationPassed), counted(h.ReviewFindings),
		Elapsed(h.CompletedAt.Sub(h.StartedAt)), machine.Plural(h.Usage.Dispatches, "dispatch", "dispatches"))
	if n := len(s.FlakesOf(h.Phase)); n > 0 {
		text += ", " + machine.Plural(n, "flaky test", "flaky tests")
	}
	if tokens := h.Usage.InputTokens + h.Usage.OutputTokens; tokens > 0 { // a program as a persona need not tell
		text += fmt.Sprintf(", %d tokens", tokens)
	}
	if h.Usage.CostUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", h.Usage.CostUSD)
	}
	e.Report.Report(Note{Event: "phase", Text: text, Fields: map[string]any{"history": h}})
	e.progress(ProgressLine{Type: "STATS", Message: text})
}

// counted writes how many findings are left, by severity.
func counted(n machine.FindingCount) string {
	var parts []string
	if n.Critical > 0 {
		parts = append(parts, fmt.Sprintf("%d critical", n.Critical))
	}
	if n.Important > 0 {
		parts = append(parts, fmt.Sprintf("%d important", n.Important))
	}
	if n.Suggestion > 0 {
		parts = append(parts, machine.Plural(n.Suggestion, "suggestion", "suggestions"))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

func (e *Engine) tellGate(gate machine.Gate) {
	e.Report.Report(Note{Event: "gate", Fields: map[string]any{"gate": gate}})
}

func (e *Engine) noteCheck(c machine.Check) {
	command := oneLine(c.Command)
	text := fmt.Sprintf("check: %s: %s", command, strings.ReplaceAll(c.Outcome, "_", " "))
	if c.Dir != "" && c.Dir != "." {
		text = fmt.Sprintf("check: %s (in %s): %s", command, c.Dir, strings.ReplaceAll(c.Outcome, "_", " "))
	}
	if len(c.Flakes) > 0 {
		text += "; flaky, and not blamed: " + strings.Join(c.Flakes, ", ")
		e.progress(ProgressLine{Type: "WARN", Message: fmt.Sprintf("flaky, and not blamed: %s (%s)", strings.Join(c.Flakes, ", "), command)})
	}
	e.Report.Report(Note{Event: "check", Text: fmt.Sprintf("%s (%.1f s)", text, c.Seconds), Fields: map[string]any{"check": c}})
}

// note says something in a line.
func (e *Engine) note(event, text string) { e.Report.Report(Note{Event: event, Text: text}) }

// detail passes on what a persona says and does while it runs.
func (e *Engine) detail(kind, text string) {
	e.Report.Report(Note{Event: "agent", Text: kind + ": " + oneLine(e.Mask.Shorten(text, 400)), Fields: map[string]any{"kind": kind, "text": text}, Detail: true})
}

// progress appends to progress.txt; a line that cannot be written is said, and stops nothing.
func (e *Engine) progress(line ProgressLine) {
	if err := e.Records.Progress(line); err != nil {
		e.note("warning", "progress.txt could not be written: "+err.Error())
	}
}
