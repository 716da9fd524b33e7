package spec

import (
	"slices"

	"github.com/yuin/goldmark/ast"
)

// itemPhases reads phases from list items with a label: "- **Phase 1 — Name.**".
// The label beats the ordinal; items without one are no phases.
func (d *phaseReader) itemPhases(s blockRange) []entry {
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

func (d *phaseReader) itemEntry(it item) (entry, bool) {
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
func (d *phaseReader) orderedPhases(s blockRange) []entry {
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
func (d *phaseReader) orderedEntry(it item) entry {
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
