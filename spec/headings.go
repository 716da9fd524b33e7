package spec

// headingPhases reads phases from "### Phase 1: Name" headings. Those of the
// shallowest level count; deeper ones are part of their text.
func (d *phaseReader) headingPhases(s blockRange) []entry {
	var found []entry
	for i := s.from; i < s.to; i++ {
		if e, ok := d.headingEntry(i, phaseKinds); ok && !d.notPhase[d.line(e.start)] {
			found = append(found, e)
		}
	}
	return shallowest(onlyPhases(found))
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
func (d *phaseReader) topLevelPhases(whole blockRange) []entry {
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
