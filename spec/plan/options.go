package plan

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// options are the answers that a decision offers: the items of the list behind its
// text, else the "**Options:** A | B" of its task.
func (c *checkpointReader) options(n ast.Node, owner int) []string {
	if list, ok := n.NextSibling().(*ast.List); ok && n.Kind() != ast.KindHeading {
		return c.plainItems(list)
	}
	return c.plan.choices[owner]
}

func (c *checkpointReader) plainItems(list *ast.List) []string {
	var all []string
	it := list.FirstChild()
	for range c.plan.offered(list) {
		if text := c.plan.Plain(it); text != "" {
			all = append(all, text)
		}
		it = it.NextSibling()
	}
	return all
}

// offered says how many items of a list are the options of a decision. Markdown takes what follows them for the same list, where
// the numbers start over at 1, or a blank line stands as between none of the options.
func (r *planReader) offered(list *ast.List) (n int) {
	last, loose := "", false
	for it := list.FirstChild(); it != nil; it = it.NextSibling() {
		line := r.Line(max(it.Pos(), 0))
		number, _, _ := strings.Cut(strings.TrimSpace(string(r.LineText(line))), ".")
		spaced := strings.TrimSpace(string(r.LineText(line-1))) == ""
		if n == 1 {
			loose = spaced
		}
		if n > 1 && (number == "1" && last != "1" || spaced && !loose) {
			return n
		}
		last, n = number, n+1
	}
	return n
}

// choices splits the value of an Options field at the strongest mark in it.
func (f field) choices() []string {
	text := f.plain()
	for _, mark := range []string{"|", ";", ","} {
		if !strings.Contains(text, mark) {
			continue
		}
		var all []string
		for part := range strings.SplitSeq(text, mark) {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
		return all
	}
	return []string{text}
}

// listsOptions says whether the block i is the list of a decision's options, which
// are no steps.
func (r *planReader) listsOptions(i int) bool {
	if i == 0 || r.Blocks[i].Kind() != ast.KindList || r.Blocks[i-1].Kind() != ast.KindParagraph {
		return false
	}
	mark := checkpointMark.FindStringSubmatch(r.Plain(r.Blocks[i-1]))
	return mark != nil && strings.EqualFold(mark[1], Decision)
}
