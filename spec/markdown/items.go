package markdown

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
)

// Item is a member of a list that stands directly in a section.
type Item struct {
	Node ast.Node
	// Text is its first paragraph; nil when it has none.
	Text       ast.Node
	Start, End int
	// Block is the index of the list's block.
	Block int
	// Number is the ordinal as written, or what the list counts to.
	Number string
}

// Items returns the members of the list block i.
func (d *Document) Items(i int) []Item {
	list, ok := d.Blocks[i].Node.(*ast.List)
	if !ok {
		return nil
	}
	if d.lists[i] == nil {
		d.lists[i] = d.readItems(list, i)
	}
	return d.lists[i]
}

func (d *Document) readItems(list *ast.List, i int) []Item {
	all := make([]Item, 0, list.ChildCount())
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		it := Item{Node: n, Start: n.Pos(), End: d.Blocks[i].End, Block: i}
		if n.NextSibling() != nil {
			it.End = d.LineStart(n.NextSibling().Pos())
		}
		if first := n.FirstChild(); first != nil && IsText(first) {
			it.Text = first
		}
		all = append(all, it)
	}
	d.numberItems(list, all)
	return all
}

// IsText says whether a node is a paragraph, the text of an item or a heading.
func IsText(n ast.Node) bool {
	switch n.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		return true
	}
	return false
}

// numberItems takes the ordinals as written where they rise. Otherwise it counts,
// as a reader of the rendered list would: many authors write "1." throughout.
func (d *Document) numberItems(list *ast.List, all []Item) {
	last := -1
	for i := range all {
		line := d.Src[all[i].Start:d.LineEnd(all[i].Start)]
		written := string(line[:max(bytes.IndexAny(line, ".)"), 0)])
		n, err := strconv.Atoi(written)
		if err != nil || n <= last {
			last = -1
			break
		}
		all[i].Number, last = written, n
	}
	if last >= 0 || !list.IsOrdered() {
		return
	}
	for i := range all {
		all[i].Number = strconv.Itoa(list.Start + i)
	}
}
