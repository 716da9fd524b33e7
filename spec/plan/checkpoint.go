package plan

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/autopilot/lazyregexp"
	"autopilot/spec/markdown"
)

var (
	// checkpointMark is "[checkpoint:decision]" in a line of plain text.
	checkpointMark = lazyregexp.New(`(?i)\[checkpoint:\s*([^\]\s]*)[^\]]*\]`)
	// taskName is a task that a line speaks of.
	taskName = lazyregexp.New(`(?i)\btasks?\s+#?(` + markdown.OneID + `)\b`)
)

// stripMarks drops checkpoint marks from a text.
func stripMarks(text string) string {
	return strings.Trim(markdown.Collapse(checkpointMark.ReplaceAllString(text, "")), " :—–-")
}

// checkpointReader collects the checkpoints of a plan by task and kind.
type checkpointReader struct {
	plan   *planReader
	tasks  []Task
	byTask map[string]int
	found  []Checkpoint
	// known are the indices in found by task and kind.
	known map[[2]string]int
	// loose are marks behind the tasks that name none.
	loose []Checkpoint
}

// checkpoints reads the marks of the whole plan. A mark belongs to the task in
// whose text it stands, else to the task that its line names: plans list them
// again in a summary.
func (r *planReader) checkpoints(tasks []Task) []Checkpoint {
	c := &checkpointReader{plan: r, tasks: tasks, byTask: map[string]int{}, known: map[[2]string]int{}}
	for i, t := range tasks {
		c.byTask[strings.ToLower(t.Number)] = i
	}
	for _, inside := range []bool{true, false} {
		for i, b := range r.Blocks {
			if owner := c.owner(i); (owner >= 0) == inside {
				c.scan(b.Node, owner)
			}
		}
	}
	for _, m := range c.loose {
		if !slices.ContainsFunc(c.found, func(f Checkpoint) bool { return f.Kind == m.Kind }) {
			r.wrong.Add(m.Line, "put the mark into its task", "the checkpoint %q names no task", m.Kind)
		}
	}
	slices.SortStableFunc(c.found, func(a, b Checkpoint) int {
		return c.byTask[strings.ToLower(a.Task)] - c.byTask[strings.ToLower(b.Task)]
	})
	return c.found
}

// owner is the index of the task in whose text block i stands, or -1.
func (c *checkpointReader) owner(i int) int {
	k, exact := slices.BinarySearch(c.plan.headings, i)
	if exact {
		return k
	}
	if k == 0 || c.plan.Blocks[i].Start >= c.plan.entries[k-1].End {
		return -1
	}
	return k - 1
}

// scan looks at each line of text of a block: paragraphs, items, headings, rows.
func (c *checkpointReader) scan(n ast.Node, owner int) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		if !markdown.IsText(n) && n.Kind() != east.KindTableRow {
			return ast.WalkContinue, nil
		}
		text := c.plan.Plain(n)
		seen := map[string]bool{}
		for _, mark := range checkpointMark.FindAllStringSubmatch(text, -1) {
			if kind := strings.ToLower(mark[1]); !seen[kind] {
				seen[kind] = true
				c.mark(n, text, kind, owner)
			}
		}
		return ast.WalkSkipChildren, nil
	})
}

// mark notes one mark.
func (c *checkpointReader) mark(n ast.Node, text, kind string, owner int) {
	m := Checkpoint{Kind: kind, Text: c.wording(text, owner), Line: c.plan.Line(max(n.Pos(), 0))}
	switch kind {
	case Decision:
		m.Options = c.options(n, owner)
	case HumanVerify, HumanAction:
	default:
		c.plan.wrong.Add(m.Line, "write decision, human-verify or human-action", "the checkpoint kind %q is not known", kind)
		return
	}
	if owner >= 0 {
		c.note(m, owner, true)
		return
	}
	named := false
	for _, name := range taskName.FindAllStringSubmatch(text, -1) {
		if i, ok := c.byTask[strings.ToLower(name[1])]; ok {
			c.note(m, i, false)
			named = true
		}
	}
	if !named {
		c.place(m)
	}
}

// wording is the text of a mark without the mark; on its own heading a task's
// title says what it is about.
func (c *checkpointReader) wording(text string, owner int) string {
	if owner >= 0 && markdown.Numbered(text, markdown.TaskKinds[0]) {
		return c.tasks[owner].Title
	}
	return stripMarks(text)
}

// place finds the task of a mark that stands between two tasks. One above all
// tasks explains the marks; one below is loose.
func (c *checkpointReader) place(m Checkpoint) {
	next := slices.IndexFunc(c.tasks, func(t Task) bool { return t.Line > m.Line })
	switch {
	case next == 0:
	case next < 0:
		c.loose = append(c.loose, m)
	case m.Kind == HumanVerify:
		c.note(m, next-1, false)
	default:
		c.note(m, next, false)
	}
}

// note records a checkpoint of a task. A second mark of its kind in the task's own
// text adds its words; one elsewhere only repeats it.
func (c *checkpointReader) note(m Checkpoint, owner int, own bool) {
	m.Task = c.tasks[owner].Number
	at, again := c.known[[2]string{m.Task, m.Kind}]
	if !again {
		c.known[[2]string{m.Task, m.Kind}] = len(c.found)
		c.found = append(c.found, m)
		return
	}
	f := &c.found[at]
	if len(f.Options) == 0 {
		f.Options = m.Options
	}
	if own && m.Text != "" && !strings.Contains(f.Text, m.Text) {
		f.Text = strings.TrimSpace(f.Text + "\n" + m.Text)
	}
}
