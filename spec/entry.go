package spec

import "slices"

// entry is a phase as it was found, before its text is looked at.
type entry struct {
	number, name string
	// kind is the word of its label; empty in forms without one.
	kind  string
	place place
	// level is that of its heading, 1 to 6; 0 in other forms.
	level int
	// start is the offset of its heading, item or row; body that of the text
	// below or behind; end is where it ends.
	start, body, end int
	// sentence says that it only begins with a label.
	sentence bool
	// prefix is put before the body: the head of a table.
	prefix string
}

// form is one way to write phases in a section.
type form func(*document, blockRange) []entry

// labelled are the ways with a label, which says plainly that a phase is meant:
// the first that is present counts.
var labelled = []form{(*document).headingPhases, (*document).boldPhases, (*document).itemPhases}

// unlabelled are the ways that only the section makes phases of: the one that
// comes first in the document counts.
var unlabelled = []form{(*document).orderedPhases, (*document).tablePhases}

// entries reads the phases of a section, in document order. Sentences that only begin with a label are the last resort:
// sessions stand that have them.
func (d *document) entries(s blockRange) []entry {
	for _, read := range labelled {
		if found := onlyPhases(read(d, s)); len(found) > 0 {
			return found
		}
	}
	var first []entry
	for _, read := range unlabelled {
		found := read(d, s)
		if len(found) > 0 && (first == nil || found[0].start < first[0].start) {
			first = found
		}
	}
	if first == nil {
		first = d.boldLabels(s, true)
	}
	return first
}

// onlyPhases drops the steps and waves of a list that has phases: they are parts
// of these, or remarks beside them.
func onlyPhases(all []entry) []entry {
	isPhase := func(e entry) bool { return e.kind == phaseKinds[0] }
	if !slices.ContainsFunc(all, isPhase) {
		return all
	}
	return slices.DeleteFunc(all, func(e entry) bool { return !isPhase(e) })
}
