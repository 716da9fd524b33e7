package spec

import (
	"slices"

	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// itemPhases reads phases from list items with a label: "- **Phase 1 — Name.**".
// The label beats the ordinal; items without one are no phases.
func (d *phaseReader) itemPhases(s markdown.BlockRange) []markdown.Entry {
	var found []markdown.Entry
	for i := s.From; i < s.To; i++ {
		for _, it := range d.Items(i) {
			if it.Text == nil {
				continue
			}
			if e, ok := d.itemEntry(it); ok && !d.notPhase[d.Line(it.Start)] {
				found = append(found, e)
			}
		}
	}
	return found
}

func (d *phaseReader) itemEntry(it markdown.Item) (markdown.Entry, bool) {
	e := markdown.Entry{Place: markdown.AtItem, Start: it.Start, Body: it.Text.Pos(), End: it.End}
	var l markdown.Label
	var ok bool
	if lead, bold := d.leadOf(it.Text); bold {
		if l, ok = d.labelOf(lead); ok {
			e.Body = d.after(lead)
		}
	} else {
		l, ok = markdown.ParseLabel(d.Plain(it.Text), markdown.PhaseKinds)
	}
	e.Number, e.Name, e.Kind = l.Id, l.Name, l.Kind
	return e, ok
}

// orderedPhases reads phases from the first ordered list of a section, and from
// the lists that go on counting where it stopped: text that is not indented
// splits a list in two.
func (d *phaseReader) orderedPhases(s markdown.BlockRange) []markdown.Entry {
	var all []markdown.Item
	next := -1
	for i := s.From; i < s.To; i++ {
		list, ok := d.Blocks[i].Node.(*ast.List)
		if !ok || !list.IsOrdered() || next >= 0 && list.Start != next {
			continue
		}
		if items := d.Items(i); all == nil {
			all = slices.Clip(items) // most often there is but one list
		} else {
			all = append(all, items...)
		}
		next = list.Start + list.ChildCount()
	}
	found := make([]markdown.Entry, 0, len(all))
	for i, it := range all {
		if i+1 < len(all) && d.headingAfter(it.Block, s) > all[i+1].Start {
			it.End = all[i+1].Start
		}
		if !d.notPhase[d.Line(it.Start)] {
			found = append(found, d.orderedEntry(it))
		}
	}
	return found
}

// orderedEntry names a phase by the bold start of its item, else by its whole
// first paragraph.
func (d *phaseReader) orderedEntry(it markdown.Item) markdown.Entry {
	e := markdown.Entry{Number: it.Number, Place: markdown.AtItem, Start: it.Start, Body: it.Start, End: it.End}
	if it.Text == nil {
		return e
	}
	if lead, bold := d.leadOf(it.Text); bold {
		e.Body, e.Name = d.after(lead), markdown.TrimName(lead.text)
	} else {
		e.Body, e.Name = it.Text.Pos(), markdown.TrimName(d.Plain(it.Text))
	}
	return e
}
