package spec

import (
	"bytes"
	"slices"
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

// itemPhases reads phases from list items with a label: "- **Phase 1 — Name.**".
// The label beats the ordinal; items without one are no phases.
func (d *document) itemPhases(s blockRange) []entry {
	var found []entry
	for i := s.from; i < s.to; i++ {
		for _, it := range d.items(i) {
			if it.text == nil {
				continue
			}
			if e, ok := d.itemEntry(it); ok && !d.notPhase[d.line(it.start)] {
				found = append(found, e)
			}
		}
	}
	return found
}

func (d *document) itemEntry(it item) (entry, bool) {
	e := entry{place: atItem, start: it.start, body: it.text.Pos(), end: it.end}
	var l label
	var ok bool
	if lead, bold := d.leadOf(it.text); bold {
		if l, ok = d.labelOf(lead); ok {
			e.body = d.after(lead)
		}
	} else {
		l, ok = parseLabel(d.plain(it.text), phaseKinds)
	}
	e.number, e.name, e.kind = l.id, l.name, l.kind
	return e, ok
}

// orderedPhases reads phases from the first ordered list of a section, and from
// the lists that go on counting where it stopped: text that is not indented
// splits a list in two.
func (d *document) orderedPhases(s blockRange) []entry {
	var all []item
	next := -1
	for i := s.from; i < s.to; i++ {
		list, ok := d.blocks[i].Node.(*ast.List)
		if !ok || !list.IsOrdered() || next >= 0 && list.Start != next {
			continue
		}
		if items := d.items(i); all == nil {
			all = slices.Clip(items) // most often there is but one list
		} else {
			all = append(all, items...)
		}
		next = list.Start + list.ChildCount()
	}
	found := make([]entry, 0, len(all))
	for i, it := range all {
		if i+1 < len(all) && d.headingAfter(it.block, s) > all[i+1].start {
			it.end = all[i+1].start
		}
		if !d.notPhase[d.line(it.start)] {
			found = append(found, d.orderedEntry(it))
		}
	}
	return found
}

// orderedEntry names a phase by the bold start of its item, else by its whole
// first paragraph.
func (d *document) orderedEntry(it item) entry {
	e := entry{number: it.number, place: atItem, start: it.start, body: it.start, end: it.end}
	if it.text == nil {
		return e
	}
	if lead, bold := d.leadOf(it.text); bold {
		e.body, e.name = d.after(lead), trimName(lead.text)
	} else {
		e.body, e.name = it.text.Pos(), trimName(d.plain(it.text))
	}
	return e
}
