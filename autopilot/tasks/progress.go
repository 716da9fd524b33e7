package tasks

import (
	"errors"
	"fmt"
	"slices"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/sessions/taskfile"
)

// progress tells people, and the log of the file, how far a list came.
type progress struct {
	file    File
	report  journal.Reporter
	session int // the number of the run
}

// tell reports what became of a task.
func (p progress) tell(t taskfile.ListedTask, status, format string, args ...any) {
	fields := map[string]any{"task": t.ID, "status": status, "attempt": t.Attempts + 1}
	p.report.Report(journal.Note{Event: "task", Text: fmt.Sprintf(format, args...), Fields: fields})
}

func (p progress) say(event, format string, args ...any) {
	p.report.Report(journal.Note{Event: event, Text: fmt.Sprintf(format, args...)})
}

// log writes a line of harness-progress.txt.
func (p progress) log(kind, task, category, message string) error {
	return p.file.Log(max(p.session, 1), journal.ProgressLine{Type: kind, Task: task, Category: category, Message: message})
}

// withoutValidation stops the loop at a task that nothing could show to be done.
func (p progress) withoutValidation(id string) error {
	list, err := p.file.Read()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list.Tasks, func(t taskfile.ListedTask) bool { return t.ID == id })
	what := fmt.Sprintf("harness-tasks.json: tasks[%d].validation.command: %s has none, and nothing else can show that it is done", at, id)
	if err := p.log("ERROR", id, taskfile.CategoryConfig, what); err != nil {
		return err
	}
	return &halt.UsageError{Message: what + "\nGive it one, or pass over such tasks: autopilot tasks run --skip-unvalidated"}
}

// logFailures logs tasks that were failed without having been run.
func (p progress) logFailures(failed []taskfile.ListedTask) error {
	var err error
	for _, t := range failed {
		category, why := split(t.ErrorLog[len(t.ErrorLog)-1])
		p.tell(t, machine.TaskFailed, "%s failed: %s", t.ID, why)
		err = errors.Join(err, p.log("ERROR", t.ID, category, why))
	}
	return err
}

// stats logs the counts of the list.
func (p progress) stats() error {
	list, err := p.file.Read()
	if err != nil {
		return err
	}
	return p.log("STATS", "", "", list.Counts().String())
}

// tellOfAgent passes on what the agent says.
func (p progress) tellOfAgent(kind, text string) {
	p.report.Report(journal.Note{Event: "agent", Text: kind + ": " + words.FirstLine(text), Fields: map[string]any{"kind": kind, "text": text}, Detail: true})
}
