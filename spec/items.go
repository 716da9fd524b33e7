package spec

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
)

// item is a member of a list that stands directly in a section.
type item struct {
	node ast.Node
	// text is its first paragraph; nil when it has none.
	text       ast.Node
	start, end int
	// block is the index of the list's block.
	block int
	// number is the ordinal as written, or what the list counts to.
	number string
}

// items returns the members of the list block i.
func (d *document) items(i int) []item {
	list, ok := d.blocks[i].Node.(*ast.List)
	if !ok {
		return nil
	}
	if d.lists[i] == nil {
		d.lists[i] = d.readItems(list, i)
	}
	return d.lists[i]
}

func (d *document) readItems(list *ast.List, i int) []item {
	all := make([]item, 0, list.ChildCount())
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		it := item{node: n, start: n.Pos(), end: d.blocks[i].end, block: i}
		if n.NextSibling() != nil {
			it.end = d.lineStart(n.NextSibling().Pos())
		}
		if first := n.FirstChild(); first != nil && isText(first) {
			it.text = first
		}
		all = append(all, it)
	}
	d.numberItems(list, all)
	return all
}

func isText(n ast.Node) bool {
	switch n.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		return true
	}
	return false
}

// numberItems takes the ordinals as written where they rise. Otherwise it counts,
// as a reader of the rendered list would: many authors write "1." throughout.
func (d *document) numberItems(list *ast.List, all []item) {
	last := -1
	for i := range all {
		line := d.src[all[i].start:d.lineEnd(all[i].start)]
		written := string(line[:max(bytes.IndexAny(line, ".)"), 0)])
		n, err := strconv.Atoi(written)
		if err != nil || n <= last {
			last = -1
			break
		}
		all[i].number, last = written, n
	}
	if last >= 0 || !list.IsOrdered() {
		return
	}
	for i := range all {
		all[i].number = strconv.Itoa(list.Start + i)
	}
}
