package journal

import (
	"cmp"
	"fmt"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// observeTasks reports tasks that were completed and attempts that failed.
func (j *Journal) observeTasks(before, after machine.State) {
	for _, t := range after.Tasks {
		old, known := before.Task(t.ID)
		if !known || len(t.Attempts) <= len(old.Attempts) {
			continue
		}
		last := t.Attempts[len(t.Attempts)-1]
		if last.Result == "passed" {
			text := t.ID + " completed"
			if t.Unproven {
				text += ", unproven: old tests fail on it"
			}
			j.taskNote(t, "task", text)
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

// TellFindings tells each finding in a line of its own.
func TellFindings(report Reporter, findings []machine.Finding) {
	for _, f := range findings {
		tellFinding(report, f, f.String())
	}
}

func tellFinding(report Reporter, f machine.Finding, text string) {
	report.Report(Note{Event: "finding", Text: text, Fields: map[string]any{"finding": f}, Detail: f.Severity == machine.Suggestion})
}

// tellPhase sums up a finished phase.
func (j *Journal) tellPhase(s machine.State, h machine.HistoryEntry) {
	text := fmt.Sprintf("phase %s %s: %s, %s, verified: %s, findings: %s, %s, %s",
		s.PhaseNumber(h.Phase), machine.OutcomeWords(h.Outcome), machine.Plural(h.TasksCompleted, "task", "tasks"), machine.Plural(h.RetriesUsed, "retry", "retries"), machine.VerifiedWords(h.VerificationPassed), counted(machine.Count(s.Register.Left().Phase(h.Phase+1))),
		words.Elapsed(h.CompletedAt.Sub(h.StartedAt)), UsageWords(h.Usage))
	if n := len(s.FlakesOf(h.Phase)); n > 0 {
		text += ", " + machine.Plural(n, "flaky test", "flaky tests")
	}
	h.Phase++ // as all that --json prints
	j.Report.Report(Note{Event: "phase", Text: text, Fields: map[string]any{"history": h}})
	for _, e := range s.Register.Open() {
		if e.Phase == h.Phase {
			tellFinding(j.Report, e.Finding, "open: "+e.String())
		}
	}
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

// TellGate tells programs of an open question; people are asked it.
func (j *Journal) TellGate(gate machine.Gate) {
	j.Report.Report(Note{Event: "gate", Fields: map[string]any{"gate": gate.Shown()}})
}

// TellCheck tells how a command went, and which tests of it are flaky.
func (j *Journal) TellCheck(c machine.Check) {
	command := words.OneLine(c.Command)
	text := fmt.Sprintf("check: %s: %s", command, strings.ReplaceAll(c.Outcome, "_", " "))
	if c.Dir != "" && c.Dir != "." {
		text = fmt.Sprintf("check: %s (in %s): %s", command, c.Dir, strings.ReplaceAll(c.Outcome, "_", " "))
	}
	if len(c.Flakes) > 0 {
		text += "; flaky, so not counted: " + strings.Join(c.Flakes, ", ")
		j.Progress(ProgressLine{Type: "WARN", Message: fmt.Sprintf("flaky, so not counted: %s (%s)", strings.Join(c.Flakes, ", "), command)})
	}
	j.Report.Report(Note{Event: "check", Text: fmt.Sprintf("%s (%.1f s)", text, c.Seconds), Fields: map[string]any{"check": c}})
}

// Note says something in a line.
func (j *Journal) Note(event, text string) { j.Report.Report(Note{Event: event, Text: text}) }

// NoteEvent says in a line what an event says too.
func (j *Journal) NoteEvent(text string) {
	j.Report.Report(Note{Event: "info", Text: text, OfEvent: true})
}

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

// FinalWords says how the final review ended, and which criteria of the spec it says nothing about.
func FinalWords(s machine.State) string {
	left := s.FinalReview.NotJudged()
	if s.CurrentState != machine.Done || len(left) == 0 {
		return strings.ReplaceAll(s.FinalReview.Status, "_", " ")
	}
	for i, text := range left {
		left[i] = strings.TrimRight(words.OneLine(text), ".")
	}
	return fmt.Sprintf("%s; %s not judged: %s", s.FinalReview.Status, machine.Plural(len(left), "criterion was", "criteria were"), strings.Join(words.FirstFew(left, 5), "; "))
}

// UsageWords says what was used. A program as a persona need not tell its tokens, and where no price is known there is no cost.
func UsageWords(u machine.Usage) string {
	text := machine.Plural(u.Dispatches, "dispatch", "dispatches")
	switch tokens := u.InputTokens + u.OutputTokens; {
	case tokens > 0:
		text += fmt.Sprintf(", %d tokens", tokens)
	case u.Dispatches > 0:
		text += ", tokens unknown"
	}
	if u.CostUSD > 0 {
		text += fmt.Sprintf(", %.2f USD", u.CostUSD)
	}
	return text
}
