package personas

import (
	"fmt"
	"strings"
)

func spec(w *page, _ Persona, b Brief) {
	if b.Phase.Text != "" {
		w.head("The phase, as the spec has it")
		w.data(b.Phase.Text)
	}
	if b.SpecText != "" {
		w.head("The spec")
		w.data(b.SpecText)
	}
	if len(b.Criteria) > 0 {
		w.head("The spec's success criteria")
		w.data(numbered(b.Criteria))
	}
}

func plan(w *page, p Persona, b Brief) {
	if b.Skeleton != "" {
		title := "The outline that a human approved"
		if b.Purpose == Skeleton {
			title = "Your outline, which was sent back"
		}
		w.head(title)
		w.data(b.Skeleton)
	}
	if b.PlanText == "" {
		return
	}
	w.head("The plan")
	if p.Name == Executor {
		w.line("Only your task is yours; the rest shows where it stands.\n")
	}
	w.data(b.PlanText)
}

func task(w *page, _ Persona, b Brief) {
	t := b.Task
	if t == nil {
		return
	}
	w.head("The task")
	if t.Kind != "" {
		w.line("It mends findings about work that is already committed. Mend the cause, not the symptom that the finding\nnames, and nothing else.\n")
	}
	w.data(taskText(*t))
	if t.Validation != "" {
		w.line("\nThe program will run this, and nothing else counts:\n")
		w.fenced("sh", t.Validation)
	} else if len(b.Validations) > 0 {
		w.line("\nThe task has no validation of its own: the project's commands below decide.")
	}
	w.list("Files that it may change", t.Files)
	w.list("It also owns what matches", t.Owns)
	w.list("Existing tests that it may change", t.ChangesTests)
}

// taskText is the plan's own words, or what was parsed of them.
func taskText(t TaskBrief) string {
	if strings.TrimSpace(t.Body) != "" {
		return t.Title + "\n\n" + t.Body
	}
	return strings.TrimSpace(t.Title + "\n\n" + numbered(t.Steps))
}

func attempt(w *page, p Persona, b Brief) {
	if b.Interrupted {
		w.head("This attempt was cut off")
		w.line("It ended from outside, not by a failure.")
		if !p.ReadOnly() {
			w.line("What it wrote is still in the working tree. Look at that first, keep what is right, and go on from there.")
		}
	}
	if b.Failure != "" {
		w.head("What went wrong before")
		switch {
		case b.Task == nil || b.Attempt < 2:
		case b.RolledBack:
			w.line("The work of the attempt before was taken out again: the working tree is as it was before the task.\n")
		default:
			w.line("The work of the attempt before is kept in the working tree.\n")
		}
		w.data(b.Failure)
	}
	for _, s := range b.MoreContext {
		w.head(inline(s.Title))
		w.data(s.Text)
	}
}

func decided(w *page, _ Persona, b Brief) {
	if len(b.Checkpoints) == 0 {
		return
	}
	w.head("What humans decided in this phase")
	w.line("These decisions bind you.\n")
	for _, c := range b.Checkpoints {
		w.line(fmt.Sprintf("- %s, %s: %s **%s**", inline(c.Task), inline(c.Kind), inline(c.Question), inline(c.Choice)))
	}
}

func wanted(w *page, _ Persona, b Brief) {
	if b.Remark == "" {
		return
	}
	if b.Purpose == SpecDraft {
		w.head("What is wanted, in the words of the human in charge")
	} else {
		w.head("What the human in charge says")
	}
	for line := range strings.Lines(strings.TrimSpace(b.Remark)) {
		w.line("> " + strings.TrimRight(line, "\r\n"))
	}
}

func change(w *page, _ Persona, b Brief) {
	if b.Diff == "" && b.DiffStat == "" {
		return
	}
	w.head("The change")
	if b.DiffStat != "" {
		w.data(b.DiffStat)
		w.line("")
	}
	if b.Diff != "" {
		w.data(b.Diff)
	}
	if b.DiffCut {
		w.line("\nThe diff is cut here because of its length. Read the rest yourself: what you did not read, you did not check.")
	}
}
