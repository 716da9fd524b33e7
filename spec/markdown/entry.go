package markdown

import "strings"

// Entry is a phase or task as it was found, before its text is looked at.
type Entry struct {
	Number, Name string
	// Kind is the word of its label; empty in forms without one.
	Kind  string
	Place Place
	// Level is that of its heading, 1 to 6; 0 in other forms.
	Level int
	// Start is the offset of its heading, item or row; body that of the text
	// below or behind; end is where it ends.
	Start, Body, End int
	// Sentence says that it only begins with a label.
	Sentence bool
	// Prefix is put before the body: the head of a table.
	Prefix string
}

// Place is where a phase can be written.
type Place int

const (
	elsewhere Place = iota // in HTML, in an item of an item, a plain line
	AtHeading
	AtParagraph
	AtItem
	AtRow
)

// PhaseName is the name, or the label itself where nothing follows it.
func (e Entry) PhaseName() string {
	if e.Name == "" && e.Kind != "" {
		return strings.ToUpper(e.Kind[:1]) + e.Kind[1:] + " " + e.Number
	}
	return e.Name
}

// HeadingEntry reads the heading block i as a phase or task: its text goes on to
// the next heading that is not deeper.
func (d *Document) HeadingEntry(i int, kinds []string) (Entry, bool) {
	h := d.Blocks[i].Heading()
	if h == nil {
		return Entry{}, false
	}
	l, ok := ParseLabel(d.Plain(h), kinds)
	if !ok {
		return Entry{}, false
	}
	_, to := d.BlocksBelow(i)
	return Entry{
		Number: l.Id, Name: l.Name, Kind: l.Kind, Place: AtHeading, Level: h.Level,
		Start: d.Blocks[i].Start, Body: d.AfterHeading(d.Blocks[i]), End: d.StartOf(to),
	}, true
}

// CutAtNext ends each entry where the next one starts, at the latest.
func CutAtNext(all []Entry) []Entry {
	for i := range all[:max(len(all)-1, 0)] {
		all[i].End = min(all[i].End, all[i+1].Start)
	}
	return all
}
