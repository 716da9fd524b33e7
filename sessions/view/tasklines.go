package view

import (
	"fmt"
	"path"

	"autopilot/autopilot/machine"
)

// tasks tells of attempts that ended.
func (w *writer) tasks() {
	for n, now := range w.after.Tasks {
		old, ok := w.before.Task(now.ID)
		if !ok {
			continue
		}
		name := fmt.Sprintf("%d/%d %s", n+1, len(w.after.Tasks), now.Title)
		switch {
		case len(now.Attempts) > len(old.Attempts) && now.Attempts[len(now.Attempts)-1].Result == "failed":
			w.attemptFailed(now, name)
		case now.Status == machine.TaskCompleted && old.Status != machine.TaskCompleted:
			w.completed(now, name)
		case now.Status == machine.TaskSkipped && old.Status != machine.TaskSkipped:
			w.add("task", Skipped, Joined(name, "left out"))
		case now.Diagnosis != "" && now.Diagnosis != old.Diagnosis:
			w.add("task", "", Joined(name, "why it fails"), firstLines(now.Diagnosis, 4)...)
		}
	}
}

func (w *writer) attemptFailed(t machine.Task, name string) {
	n := len(t.Attempts)
	why, detail := firstOf(t.Attempts[n-1].Error), []string(nil)
	if bad := failed(w.e.Checks); len(bad) > 0 {
		why, detail = ended(bad), failing(bad, 8)
	}
	if w.e.Evidence != nil && len(detail) > 0 {
		detail = append(detail, "full output: "+OutputPath(w.after.SessionSlug, w.e.Evidence.Output))
	}
	line := w.add("task_failed", Broken, Joined(name, "attempt "+of(n, limitOf(w.after, t)), why), detail...)
	w.cost(line, t, n)
}

func (w *writer) completed(t machine.Task, name string) {
	n, attempt, change, note := len(t.Attempts), "", "", ""
	if n > 1 {
		attempt = "attempt " + of(n, limitOf(w.after, t))
	}
	if c, ok := w.t.size(t.Commit); ok {
		change = Change(c)
	}
	switch {
	case t.ByHuman:
		note = "by hand"
	case t.Unproven:
		note = "unproven: old tests fail on it"
	case t.Commit == "":
		note = "nothing to commit"
	}
	line := w.add("task", Passed, Joined(name, attempt, change, t.Commit[:min(len(t.Commit), 7)], note))
	w.cost(line, t, n)
}

// OutputPath is where the repository keeps what the checks of an attempt printed.
func OutputPath(slug, output string) string { return path.Join(".harness/sessions", slug, output) }

// cost says what the n-th attempt of a task took.
func (w *writer) cost(line *Line, t machine.Task, n int) {
	known := w.t.attempts[key{positionOf(w.after), t.ID}]
	if n < 1 || n > len(known) {
		return
	}
	a := known[n-1]
	line.USD = a.USD
	if !a.Start.IsZero() {
		line.Seconds = max(0, a.End.Sub(a.Start).Seconds())
	}
}
