package spec

import "github.com/yuin/goldmark/ast"

// boldPhases reads phases from paragraphs that start a line with "**Phase 1 —
// Name.**". Their text goes on to the next of them or to the next heading.
func (d *phaseReader) boldPhases(s blockRange) []entry { return d.boldLabels(s, false) }

// boldLabels are these, with the sentences that begin with a label, or without.
func (d *phaseReader) boldLabels(s blockRange, sentences bool) []entry {
	var found []entry
	for i := s.from; i < s.to; i++ {
		if _, ok := d.blocks[i].Node.(*ast.Paragraph); !ok {
			continue
		}
		for _, lead := range d.leads(d.blocks[i]) {
			l, ok := d.labelOf(lead)
			if ok && !d.notPhase[d.line(lead.start)] && (sentences || !d.isProse(lead)) {
				found = append(found, entry{
					number: l.id, name: l.name, kind: l.kind, place: atParagraph, sentence: d.isProse(lead),
					start: lead.start, body: d.after(lead), end: d.headingAfter(i, s),
				})
			}
		}
	}
	return cutAtNext(onlyPhases(found))
}

// headingAfter is the offset of the first heading of the section behind block i,
// or of the section's end.
func (d *phaseReader) headingAfter(i int, s blockRange) int {
	return d.startOf(min(d.blocks[i].nextHeading, s.to))
}
