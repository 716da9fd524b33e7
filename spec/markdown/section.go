package markdown

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

var (
	// beforeTitle and afterTitle are what may surround the words of a heading.
	beforeTitle = lazyregexp.New(`^(?:section\s+[\da-z]+\s*[:.—–-]\s*|recommended\s+)+`)
	afterTitle  = lazyregexp.New(`\s*\([^()]*\)$`)
)

// Title is a heading's words in lower case, without number, remark and colon.
func Title(text string) string {
	text = TrimName(strings.ToLower(Undecorate(text)))
	if strings.HasPrefix(text, "section") || strings.HasPrefix(text, "recommended") {
		text = strings.TrimPrefix(text, beforeTitle.FindString(text))
	}
	if strings.HasSuffix(text, ")") {
		text = afterTitle.ReplaceAllString(text, "")
	}
	return TrimName(text)
}

// BlockRange is a run of blocks, from ≤ i < to, below a heading on a line.
type BlockRange struct {
	From, To, Line int
	Name           string
}

// Titled returns the sections whose heading has the given title.
func (d *Document) Titled(want string) []BlockRange {
	var found []BlockRange
	for i, b := range d.Blocks {
		h := b.Heading()
		if h == nil || Title(d.Plain(h)) != want {
			continue
		}
		from, to := d.BlocksBelow(i)
		found = append(found, BlockRange{from, to, d.Line(b.Start), d.Plain(h)})
	}
	return found
}

// Title is the first top heading, else the front matter's title, else the first
// heading of any level.
func (d *Document) Title() string {
	first := ""
	for _, b := range d.Blocks {
		h := b.Heading()
		if h == nil {
			continue
		}
		if h.Level == 1 {
			return d.Plain(h)
		}
		if first == "" {
			first = d.Plain(h)
		}
	}
	if front := d.Front["title"]; front != "" {
		return front
	}
	return first
}
