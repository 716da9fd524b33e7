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
	for it := list.FirstChild(); it != nil; it = it.NextSibling() {
		if text := c.plan.Plain(it); text != "" {
			all = append(all, text)
		}
	}
	return all
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
