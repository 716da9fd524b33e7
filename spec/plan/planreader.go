package plan

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// planReader reads one plan and notes what is wrong with it.
type planReader struct {
	*markdown.Document
	wrong markdown.Problems
	// entries are the tasks as found; headings the indices of their blocks.
	entries  []markdown.Entry
	headings []int
	// consumed are the blocks that hold the value of a field.
	consumed map[int]bool
	// choices are the values of Options fields, by the index of their task.
	choices map[int][]string
}

func (r *planReader) plan() *Plan {
	r.findTasks()
	p := &Plan{}
	p.Title, p.Titled = r.planTitle()
	r.preamble(p)
	for i := range r.entries {
		p.Tasks = append(p.Tasks, r.task(i))
	}
	if len(p.Tasks) == 0 && len(r.wrong) == 0 {
		r.wrong.Add(1, "write '### Task 1: Title' for each task", "the plan has no task")
	}
	p.Unknown = r.checkDependencies(p.Tasks)
	p.Checkpoints = r.checkpoints(p.Tasks)
	return p
}

// findTasks lists the headings that are tasks. One that lacks only the separator
// is refused: a task must not vanish because of a colon.
func (r *planReader) findTasks() {
	for i, b := range r.Blocks {
		h := b.Heading()
		if h == nil || h.Level == 1 {
			continue
		}
		if e, ok := r.HeadingEntry(i, markdown.TaskKinds); ok {
			r.entries, r.headings = append(r.entries, e), append(r.headings, i)
		} else if text := r.Plain(h); markdown.Numbered(text, markdown.TaskKinds[0]) {
			r.wrong.Add(r.Line(b.Start), "write '### Task 1: Title', or begin with another word if it is no task",
				"the heading %q names a task without ': '", text)
		}
	}
	markdown.CutAtNext(r.entries)
}

// planTitle is the document's title without the word "Plan", and whether it has that.
func (r *planReader) planTitle() (title string, titled bool) {
	title = r.Title()
	if word, rest, ok := strings.Cut(title, ":"); ok && strings.EqualFold(strings.TrimSpace(word), "plan") {
		return strings.TrimSpace(rest), true
	}
	return title, false
}

// preamble reads what stands above the first task.
func (r *planReader) preamble(p *Plan) {
	wrong := r.wrong
	for _, f := range r.fields(0, r.tasksFrom()) {
		switch f.key {
		case "spec":
			p.Spec = f.path()
		case "phase":
			p.Phase = f.plain()
		case "goal":
			p.Goal = f.raw
		}
	}
	// Only tasks owe complete fields; above them they are prose.
	r.wrong = wrong
	if goals := r.Titled("goal"); len(goals) > 0 {
		s := goals[0]
		p.Goal = r.Raw(r.AfterHeading(r.Blocks[s.From-1]), r.StartOf(s.To))
	}
}

// tasksFrom is the index of the first task's block.
func (r *planReader) tasksFrom() int {
	if len(r.headings) == 0 {
		return len(r.Blocks)
	}
	return r.headings[0]
}

// blocksOf are the indices of the blocks of task i.
func (r *planReader) blocksOf(i int) (from, to int) {
	from, to = r.BlocksBelow(r.headings[i])
	if i+1 < len(r.headings) {
		to = min(to, r.headings[i+1])
	}
	return from, to
}

// task reads the task i.
func (r *planReader) task(i int) Task {
	e := r.entries[i]
	t := Task{Number: e.Number, Title: stripMarks(e.PhaseName()), Line: r.Line(e.Start), Body: r.Raw(e.Body, e.End)}
	from, to := r.blocksOf(i)
	for _, f := range r.fields(from, to) {
		if f.key == "options" {
			r.choices[i] = f.choices()
		}
		r.setField(&t, f)
	}
	t.FilesNone = t.FilesNone && len(t.Files) == 0
	t.ValidationNone = t.ValidationNone && t.Validation == ""
	t.Steps = r.steps(from, to)
	return t
}

// steps are the items of a task's lists that are no fields. A task without lists
// may write its steps as "**Step 1: …**" or "#### Step 1: …".
func (r *planReader) steps(from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		if r.consumed[i] {
			continue
		}
		items := r.Items(i)
		if list, ok := r.Blocks[i].Node.(*ast.List); ok && r.listsOptions(i) {
			items = items[r.offered(list):]
		}
		for _, it := range items {
			if it.Text != nil && !r.isField(it.Text) {
				all = append(all, r.Plain(it.Text))
			}
		}
	}
	if len(all) == 0 {
		return r.labelledSteps(from, to)
	}
	return all
}

func (r *planReader) labelledSteps(from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		switch n := r.Blocks[i].Node.(type) {
		case *ast.Heading, *ast.Paragraph:
			if l, ok := markdown.ParseLabel(r.Plain(n), []string{"step"}); ok && l.Name != "" {
				all = append(all, l.Name)
			}
		}
	}
	return all
}
