package spec

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

var (
	// beforeTitle and afterTitle are what may surround the words of a heading.
	beforeTitle = lazyregexp.New(`^(?:section\s+[\da-z]+\s*[:.—–-]\s*|recommended\s+)+`)
	afterTitle  = lazyregexp.New(`\s*\([^()]*\)$`)
)

// title is a heading's words in lower case, without number, remark and colon.
func title(text string) string {
	text = trimName(strings.ToLower(undecorate(text)))
	if strings.HasPrefix(text, "section") || strings.HasPrefix(text, "recommended") {
		text = strings.TrimPrefix(text, beforeTitle.FindString(text))
	}
	if strings.HasSuffix(text, ")") {
		text = afterTitle.ReplaceAllString(text, "")
	}
	return trimName(text)
}

// blockRange is a run of blocks, from ≤ i < to, below a heading on a line.
type blockRange struct {
	from, to, line int
	name           string
}

// titled returns the sections whose heading has the given title.
func (d *document) titled(want string) []blockRange {
	var found []blockRange
	for i, b := range d.blocks {
		h := b.heading()
		if h == nil || title(d.plain(h)) != want {
			continue
		}
		from, to := d.blocksBelow(i)
		found = append(found, blockRange{from, to, d.line(b.start), d.plain(h)})
	}
	return found
}

// title is the first top heading, else the front matter's title, else the first
// heading of any level.
func (d *document) title() string {
	first := ""
	for _, b := range d.blocks {
		h := b.heading()
		if h == nil {
			continue
		}
		if h.Level == 1 {
			return d.plain(h)
		}
		if first == "" {
			first = d.plain(h)
		}
	}
	if front := d.front["title"]; front != "" {
		return front
	}
	return first
}
