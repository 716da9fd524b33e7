package personas

import (
	"fmt"
	"slices"
	"strings"
)

func spec(w *page, _ Persona, b Brief) {
	if b.Phase.Text != "" {
		w.head("The phase")
		w.data(unmarked(b.Phase.Text))
	}
	if b.SpecText != "" {
		w.head("The spec")
		w.data(b.SpecText)
	}
	if len(b.Criteria) > 0 {
		w.head("Success criteria")
		w.data(numbered(b.Criteria))
	}
}

// unmarked leaves out the comment that tells a phase's complexity.
func unmarked(text string) string {
	text = strings.TrimSpace(text)
	mark, rest, ok := strings.Cut(text, "-->")
	if mark, isComment := strings.CutPrefix(mark, "<!--"); ok && isComment && strings.HasPrefix(strings.TrimSpace(mark), "complexity:") {
		return strings.TrimSpace(rest)
	}
	return text
}

func plan(w *page, _ Persona, b Brief) {
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
	w.data(b.PlanText)
}

// inPlan says whether the plan in the prompt has the task's text, once: then it stands nowhere else, and the plan is the same
// for all tasks. One that is short may stand there for something else too.
func (t TaskBrief) inPlan(plan string) bool {
	const short = 40 // bytes
	body := strings.TrimSpace(strings.ReplaceAll(t.Body, "\r\n", "\n"))
	return len(body) >= short && strings.Count(strings.ReplaceAll(plan, "\r\n", "\n"), body) == 1
}

func task(w *page, _ Persona, b Brief) {
	t := b.Task
	if t == nil {
		return
	}
	w.head("The task")
	if t.Kind != "" {
		w.line("It mends findings about work that is already committed. Mend the cause, not the symptom that the finding\nnames, and nothing else.")
	}
	if t.inPlan(b.PlanText) {
		w.line(fmt.Sprintf("Yours is task %s of the plan above, and no other: %s", inline(t.Number), title(t.Title)))
	} else {
		w.data(taskText(*t))
	}
	switch {
	case t.Validation == "" && len(b.Validations) > 0:
		w.line("\nThe task has no validation of its own: the project's commands above decide.")
	case t.Validation == "":
	case strings.Contains(t.Body, t.Validation):
		w.line("\nThe program runs its validation, and nothing else counts.")
	default:
		w.line("\nThe program runs this, and nothing else counts:")
		w.fenced("sh", t.Validation)
	}
	if t.PassesBefore {
		w.line("This validation passes already, before your change: it proves nothing by itself.")
	}
	w.list("Files that it may change", unsaid(t.Body, t.Files))
	w.list("It also owns what matches", unsaid(t.Body, t.Owns))
	w.list("Existing tests that it may change", unsaid(t.Body, t.ChangesTests))
}

// unsaid is nothing where the task's own words name every entry.
func unsaid(body string, entries []string) []string {
	if slices.ContainsFunc(entries, func(e string) bool { return !strings.Contains(body, e) }) {
		return entries
	}
	return nil
}

// taskText is the plan's own words, or what was parsed of them. The title is
// the dispatch's own.
func taskText(t TaskBrief) string {
	if strings.TrimSpace(t.Body) != "" {
		return strings.TrimSpace(t.Body)
	}
	return strings.TrimSpace(t.Title + "\n\n" + numbered(t.Steps))
}

func taskFiles(w *page, _ Persona, b Brief) {
	if !b.Submits || len(b.Files)+len(b.FilesLeft) == 0 {
		return
	}
	w.head("Its files, as they are now")
	for _, f := range b.Files {
		w.line(code(f.Title) + ":")
		w.data(f.Text)
	}
	w.list("Not shown, for their size", b.FilesLeft)
}

// startFrom is how an executor goes about a task that was tried before.
const startFrom = `The failure is evidence: start from it. Say to yourself what was believed then, and why it was wrong; the same change
fails the same way. Where a diagnosis is given, test its claim first. What is right stays; what was built on the wrong
belief goes.`

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
			w.line("The work of the attempt before was taken out again: the working tree is as it was before the task.")
		default:
			w.line("The work of the attempt before is kept in the working tree. Look at it before you write.")
		}
		if p.Name == Executor && b.Task != nil {
			w.line(startFrom)
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
	w.line("These decisions bind you.")
	for _, c := range b.Checkpoints {
		w.line(fmt.Sprintf("- %s, %s: %s **%s**", inline(c.Task), inline(c.Kind), title(c.Question), inline(c.Choice)))
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

// earlier tells a persona what it said before, so that only what came since is to be judged.
func earlier(w *page, _ Persona, b Brief) {
	e := b.Earlier
	if e == nil {
		return
	}
	w.head("You judged this before")
	since := "Since then others worked on it"
	if len(e.Fixed) > 0 {
		since = "Since then a change is meant to fix " + strings.Join(e.Fixed, ", ")
	}
	w.line("You judged " + code(e.Commit) + ". " + since + ": it is below. Say first whether it does what it should, and what it broke.\n" +
		"What it does not reach is as you judged it: check that again only where the change gives a reason. Hand in all criteria again,\n" +
		"those with the verdict that they had. The whole of the work is `git diff " + e.Base + "`.\n\nYour words then:")
	text := e.Reply.Summary + "\n"
	for _, c := range e.Reply.Criteria {
		text += strings.TrimSuffix(fmt.Sprintf("- satisfied: %t (%s): %s: %s", c.Satisfied, c.Confidence, c.Text, c.Evidence), ": ") + "\n"
	}
	for _, v := range e.Reply.Evidence {
		text += strings.TrimSuffix(fmt.Sprintf("- exit code %d: %s: %s", v.ExitCode, v.Command, v.Note), ": ") + "\n"
	}
	w.data(text)
}

func change(w *page, _ Persona, b Brief) {
	if b.Diff == "" && b.DiffStat == "" {
		return
	}
	if b.Earlier == nil {
		w.head("The change")
	} else {
		w.head("The change since " + inline(b.Earlier.Commit))
	}
	if b.DiffStat != "" {
		w.data(b.DiffStat)
	}
	if b.Diff != "" {
		w.data(b.Diff)
	}
	diffEnd(w, b.DiffLeft)
	if b.Judging != "" {
		w.head("What judges, and was changed")
		w.data(b.Judging)
		diffEnd(w, b.JudgingLeft)
	}
}

func diffEnd(w *page, left []string) {
	if len(left) == 0 {
		return
	}
	w.list("Not shown, for its length", left)
	w.line("Read it yourself: what you did not read, you did not check.")
}
