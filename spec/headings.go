package spec

import "autopilot/spec/markdown"

// headingPhases reads phases from "### Phase 1: Name" headings. Those of the
// shallowest level count; deeper ones are part of their text.
func (d *phaseReader) headingPhases(s markdown.BlockRange) []markdown.Entry {
	var found []markdown.Entry
	for i := s.From; i < s.To; i++ {
		if e, ok := d.HeadingEntry(i, markdown.PhaseKinds); ok && !d.notPhase[d.Line(e.Start)] {
			found = append(found, e)
		}
	}
	return shallowest(onlyPhases(found))
}

func shallowest(all []markdown.Entry) []markdown.Entry {
	var found []markdown.Entry
	for _, e := range all {
		if len(found) > 0 && e.Level < found[0].Level {
			found = nil
		}
		if len(found) == 0 || e.Level == found[0].Level {
			found = append(found, e)
		}
	}
	return found
}

// topLevelPhases reads "## Phase 1: Name" headings of a document that has no
// section for them. A single "# Phase 1" is the document's title.
func (d *phaseReader) topLevelPhases(whole markdown.BlockRange) []markdown.Entry {
	var titles, found []markdown.Entry
	for i := whole.From; i < whole.To; i++ {
		e, ok := d.HeadingEntry(i, markdown.PhaseKinds[:1])
		ok = ok && !d.notPhase[d.Line(e.Start)]
		if ok && e.Level == 1 {
			titles = append(titles, e)
		}
		if ok && e.Level == 2 {
			found = append(found, e)
		}
	}
	if len(found) == 0 && len(titles) > 1 {
		return titles
	}
	return found
}
