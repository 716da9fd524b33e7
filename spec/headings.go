package spec

// headingPhases reads phases from "### Phase 1: Name" headings. Those of the
// shallowest level count; deeper ones are part of their text.
func (d *document) headingPhases(s blockRange) []entry {
	var found []entry
	for i := s.from; i < s.to; i++ {
		if e, ok := d.headingEntry(i, phaseKinds); ok && !d.notPhase[d.line(e.start)] {
			found = append(found, e)
		}
	}
	return shallowest(onlyPhases(found))
}

// headingEntry reads the heading block i as a phase or task: its text goes on to
// the next heading that is not deeper.
func (d *document) headingEntry(i int, kinds []string) (entry, bool) {
	h := d.blocks[i].heading()
	if h == nil {
		return entry{}, false
	}
	l, ok := parseLabel(d.plain(h), kinds)
	if !ok {
		return entry{}, false
	}
	_, to := d.blocksBelow(i)
	return entry{
		number: l.id, name: l.name, kind: l.kind, place: atHeading, level: h.Level,
		start: d.blocks[i].start, body: d.afterHeading(d.blocks[i]), end: d.startOf(to),
	}, true
}

// startOf is the offset of block i, or of the document's end.
func (d *document) startOf(i int) int {
	if i < len(d.blocks) {
		return d.blocks[i].start
	}
	return len(d.src)
}

func shallowest(all []entry) []entry {
	var found []entry
	for _, e := range all {
		if len(found) > 0 && e.level < found[0].level {
			found = nil
		}
		if len(found) == 0 || e.level == found[0].level {
			found = append(found, e)
		}
	}
	return found
}

// topLevelPhases reads "## Phase 1: Name" headings of a document that has no
// section for them. A single "# Phase 1" is the document's title.
func (d *document) topLevelPhases(whole blockRange) []entry {
	var titles, found []entry
	for i := whole.from; i < whole.to; i++ {
		e, ok := d.headingEntry(i, phaseKinds[:1])
		ok = ok && !d.notPhase[d.line(e.start)]
		if ok && e.level == 1 {
			titles = append(titles, e)
		}
		if ok && e.level == 2 {
			found = append(found, e)
		}
	}
	if len(found) == 0 && len(titles) > 1 {
		return titles
	}
	return found
}
