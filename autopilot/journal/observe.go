package journal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

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
		j.Report.Report(Note{Event: "decision", Text: decisionLine(d), Fields: map[string]any{"decision": d}, Detail: d.Decision == "unverified"})
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: decisionLine(d)})
	}
	if before.CurrentState != after.CurrentState {
		j.Report.Report(Note{Event: "state", Text: stateLine(after), Fields: map[string]any{
			"from": before.CurrentState, "state": after.CurrentState, "phase": after.CurrentPhase + 1,
		}})
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: stateLine(after)})
	}
	if g := after.Gate; g != nil && (before.Gate == nil || before.Gate.ID != g.ID) {
		j.Progress(ProgressLine{Type: "CHECKPOINT", Message: fmt.Sprintf("question %s (%s): %s", g.ID, g.Kind, g.Question)})
	}
	if ev.Type != machine.Used && ev.Type != machine.SnapshotTaken { // nothing of them is shown
		j.projected(j.Files.Project(after))
	}
}

// Settle waits until other programs see the present state.
func (j *Journal) Settle() { j.projected(j.Files.Settle()) }

// Settling begins that; what it returns waits for it. So it goes on while something else is looked at, before a command
// or a hook of the project's is started, which may read those files.
func (j *Journal) Settling() (wait func()) {
	settled := sync.OnceValue(j.Files.Settle)
	go settled() //nolint:errcheck // who waits is told
	return func() { j.projected(settled()) }
}

func (j *Journal) projected(err error) {
	if err != nil {
		j.Note("warning", "The files for other tools could not be written: "+err.Error())
	}
}

// ignorable lists files, and the line that has git ignore them.
func Ignorable(files []string) string {
	return strings.Join(words.FirstFew(files, 8), ", ") + ". To have git ignore them, " + Ignoring(files)
}

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

func decisionLine(d machine.Decision) string {
	line := "decision: " + strings.ReplaceAll(d.Decision, "_", " ") + " (by " + d.By
	if d.Reason != "" {
		line += ": " + words.OneLine(d.Reason)
	}
	return line + ")"
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
			text, fields["status"], fields["summary"] = "reply: "+r.Status+": "+words.OneLine(r.Summary), r.Status, r.Summary
		} else if ev.Ended.Outcome == machine.OutcomeWaiting {
			text = "waits for a person: the prompt is written" // the question says where
		} else if ev.Ended.Detail != "" {
			text += ": " + words.OneLine(ev.Ended.Detail)
		}
		if ev.Ended.Metrics != nil {
			fields["metrics"], fields["used"] = ev.Ended.Metrics.Counts(), ev.Ended.Used
		}
		report.Report(Note{Event: "reply", Text: text, Fields: fields})
		tellPutRight(report, ev.Ended.Findings)
	case machine.TaskStarted:
		if t, ok := after.Task(ev.Task); ok && t.Status == machine.TaskRunning && ev.Base != "" {
			j.taskNote(t, "task", fmt.Sprintf("%s, attempt %d of %d: %s", t.ID, len(t.Failures())+1, after.RetryBudget.MaxAttempts+1+t.Extra, t.Title))
			j.Progress(ProgressLine{Type: "Starting", Task: t.ID, Message: fmt.Sprintf("%s (base=%s)", t.Title, words.Commit(t.Base))})
		}
	}
	if ev.Type == machine.Validated || ev.Type == machine.Checked {
		TellFindings(report, ev.Findings)
	}
	j.observeTasks(before, after)
	if n := len(after.History); n > len(before.History) {
		j.tellPhase(after, after.History[n-1])
	}
	if before.CurrentState == machine.FinalReview && after.CurrentState == machine.Done { // what blocked was in a question
		TellFindings(report, slices.DeleteFunc(slices.Clone(after.FinalReview.Findings), func(f machine.Finding) bool { return f.Overridden }))
	}
}

// observeTasks reports tasks that were completed and attempts that failed.
func (j *Journal) observeTasks(before, after machine.State) {
	for _, t := range after.Tasks {
		old, known := before.Task(t.ID)
		if !known || len(t.Attempts) <= len(old.Attempts) {
			continue
		}
		last := t.Attempts[len(t.Attempts)-1]
		if last.Result == "passed" {
			j.taskNote(t, "task", t.ID+" completed")
		} else {
			j.taskNote(t, "task", fmt.Sprintf("%s failed: %s", t.ID, j.Mask.Shorten(words.OneLine(last.Error), 300)))
		}
		j.LogAttempt(t)
	}
}

// LogAttempt logs how a task's last attempt ended. A run that takes up the session does so again, in case that it was
// killed before; the key keeps the line from standing there twice.
func (j *Journal) LogAttempt(t machine.Task) {
	if len(t.Attempts) == 0 {
		return
	}
	last := t.Attempts[len(t.Attempts)-1]
	line := ProgressLine{Type: "ERROR", Task: t.ID, Category: last.Category, Message: j.Mask.Shorten(words.OneLine(last.Error), 500)}
	if last.Result == "passed" {
		line = ProgressLine{Type: "Completed", Task: t.ID, Message: fmt.Sprintf("%s (commit %s)", t.Title, cmp.Or(words.Commit(t.Commit), "none"))}
	}
	line.Key = fmt.Sprintf("%s/%d", t.ID, last.Timestamp.UnixMilli())
	j.Progress(line)
}

func (j *Journal) taskNote(t machine.Task, event, text string) {
	j.Report.Report(Note{Event: event, Text: text, Fields: map[string]any{"task": t.ID, "title": t.Title, "status": t.Status, "attempts": len(t.Attempts)}})
}

func TellFindings(report Reporter, findings []machine.Finding) {
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
func (j *Journal) tellPhase(s machine.State, h machine.HistoryEntry) {
	text := fmt.Sprintf("phase %s %s: %s, %s, verified: %s, findings: %s, %s, %s",
		s.PhaseNumber(h.Phase), machine.OutcomeWords(h.Outcome), machine.Plural(h.TasksCompleted, "task", "tasks"), machine.Plural(h.RetriesUsed, "retry", "retries"), machine.VerifiedWords(h.VerificationPassed), counted(h.ReviewFindings),
		words.Elapsed(h.CompletedAt.Sub(h.StartedAt)), machine.Plural(h.Usage.Dispatches, "dispatch", "dispatches"))
	if n := len(s.FlakesOf(h.Phase)); n > 0 {
		text += ", " + machine.Plural(n, "flaky test", "flaky tests")
	}
	if tokens := h.Usage.InputTokens + h.Usage.OutputTokens; tokens > 0 { // a program as a persona need not tell
		text += fmt.Sprintf(", %d tokens", tokens)
	}
	if h.Usage.CostUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", h.Usage.CostUSD)
	}
	j.Report.Report(Note{Event: "phase", Text: text, Fields: map[string]any{"history": h}})
	j.Progress(ProgressLine{Type: "STATS", Message: text})
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

func (j *Journal) TellGate(gate machine.Gate) {
	j.Report.Report(Note{Event: "gate", Fields: map[string]any{"gate": gate}})
}

func (j *Journal) TellCheck(c machine.Check) {
	command := words.OneLine(c.Command)
	text := fmt.Sprintf("check: %s: %s", command, strings.ReplaceAll(c.Outcome, "_", " "))
	if c.Dir != "" && c.Dir != "." {
		text = fmt.Sprintf("check: %s (in %s): %s", command, c.Dir, strings.ReplaceAll(c.Outcome, "_", " "))
	}
	if len(c.Flakes) > 0 {
		text += "; flaky, and not blamed: " + strings.Join(c.Flakes, ", ")
		j.Progress(ProgressLine{Type: "WARN", Message: fmt.Sprintf("flaky, and not blamed: %s (%s)", strings.Join(c.Flakes, ", "), command)})
	}
	j.Report.Report(Note{Event: "check", Text: fmt.Sprintf("%s (%.1f s)", text, c.Seconds), Fields: map[string]any{"check": c}})
}

// Note says something in a line.
func (j *Journal) Note(event, text string) { j.Report.Report(Note{Event: event, Text: text}) }

// Detail passes on what a persona says and does while it runs.
func (j *Journal) Detail(kind, text string) {
	j.Report.Report(Note{Event: "agent", Text: kind + ": " + words.OneLine(j.Mask.Shorten(text, 400)), Fields: map[string]any{"kind": kind, "text": text}, Detail: true})
}

// Progress appends to progress.txt; a line that cannot be written is said, and stops nothing.
func (j *Journal) Progress(line ProgressLine) {
	if err := j.Files.Progress(line); err != nil {
		j.Note("warning", "progress.txt could not be written: "+err.Error())
	}
}
