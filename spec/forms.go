package spec

import (
	"slices"

	"autopilot/spec/markdown"
)

// phaseReader finds the phases of a spec.
type phaseReader struct {
	*markdown.Document
	// notPhase are the lines of which a comment says that they are no phase.
	notPhase map[int]bool
}

// form is one way to write phases in a section.
type form func(*phaseReader, markdown.BlockRange) []markdown.Entry

// labelled are the ways with a label, which says plainly that a phase is meant:
// the first that is present counts.
var labelled = []form{(*phaseReader).headingPhases, (*phaseReader).boldPhases, (*phaseReader).itemPhases}

// unlabelled are the ways that only the section makes phases of: the one that
// comes first in the document counts.
var unlabelled = []form{(*phaseReader).orderedPhases, (*phaseReader).tablePhases}

// entries reads the phases of a section, in document order. Sentences that only begin with a label are the last resort:
// sessions stand that have them.
func (d *phaseReader) entries(s markdown.BlockRange) []markdown.Entry {
	for _, read := range labelled {
		if found := onlyPhases(read(d, s)); len(found) > 0 {
			return found
		}
	}
	var first []markdown.Entry
	for _, read := range unlabelled {
		found := read(d, s)
		if len(found) > 0 && (first == nil || found[0].Start < first[0].Start) {
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
func onlyPhases(all []markdown.Entry) []markdown.Entry {
	isPhase := func(e markdown.Entry) bool { return e.Kind == markdown.PhaseKinds[0] }
	if !slices.ContainsFunc(all, isPhase) {
		return all
	}
	return slices.DeleteFunc(all, func(e markdown.Entry) bool { return !isPhase(e) })
}
