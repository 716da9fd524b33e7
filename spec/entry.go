package spec

import "strings"

// entry is a phase or task as it was found, before its text is looked at.
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

// place is where a phase can be written.
type place int

const (
	elsewhere place = iota // in HTML, in an item of an item, a plain line
	atHeading
	atParagraph
	atItem
	atRow
)

// phaseName is the name, or the label itself where nothing follows it.
func (e entry) phaseName() string {
	if e.name == "" && e.kind != "" {
		return strings.ToUpper(e.kind[:1]) + e.kind[1:] + " " + e.number
	}
	return e.name
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

// cutAtNext ends each entry where the next one starts, at the latest.
func cutAtNext(all []entry) []entry {
	for i := range all[:max(len(all)-1, 0)] {
		all[i].end = min(all[i].end, all[i+1].start)
	}
	return all
}
