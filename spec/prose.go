package spec

import (
	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// boldPhases reads phases from paragraphs that start a line with "**Phase 1 —
// Name.**". Their text goes on to the next of them or to the next heading.
func (d *phaseReader) boldPhases(s markdown.BlockRange) []markdown.Entry {
	return d.boldLabels(s, false)
}

// boldLabels are these, with the sentences that begin with a label, or without.
func (d *phaseReader) boldLabels(s markdown.BlockRange, sentences bool) []markdown.Entry {
	var found []markdown.Entry
	for i := s.From; i < s.To; i++ {
		if _, ok := d.Blocks[i].Node.(*ast.Paragraph); !ok {
			continue
		}
		for _, lead := range d.leads(d.Blocks[i]) {
			l, ok := d.labelOf(lead)
			if ok && !d.notPhase[d.Line(lead.start)] && (sentences || !d.isProse(lead)) {
				found = append(found, markdown.Entry{
					Number: l.Id, Name: l.Name, Kind: l.Kind, Place: markdown.AtParagraph, Sentence: d.isProse(lead),
					Start: lead.start, Body: d.after(lead), End: d.headingAfter(i, s),
				})
			}
		}
	}
	return markdown.CutAtNext(onlyPhases(found))
}

// headingAfter is the offset of the first heading of the section behind block i,
// or of the section's end.
func (d *phaseReader) headingAfter(i int, s markdown.BlockRange) int {
	return d.StartOf(min(d.Blocks[i].NextHeading, s.To))
}
