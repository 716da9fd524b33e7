package spec

import (
	"bytes"
	"sort"
	"strings"
)

// raw is the Markdown between two offsets, without the blank lines around it.
func (d *document) raw(from, to int) string {
	return trimBody(string(d.src[min(from, to):to]))
}

// normal is raw without what does not count as a change: the marks of check
// boxes, complexity comments, trailing space and blank lines.
func (d *document) normal(from, to int) string {
	text := bytes.Clone(d.src[min(from, to):to])
	for _, at := range within(d.marks, from, to) {
		text[at-from] = ' '
	}
	for i := d.firstComment(from); i < len(d.comments) && d.comments[i].end <= to; i++ {
		c := d.comments[i]
		copy(text[c.start-from:], blank(text[c.start-from:c.end-from]))
	}
	var kept strings.Builder
	kept.Grow(len(text))
	for line := range strings.Lines(trimBody(string(text))) {
		if line = strings.TrimRight(line, " \t\n"); line == "" {
			continue
		}
		if kept.Len() > 0 {
			kept.WriteByte('\n')
		}
		kept.WriteString(line)
	}
	return kept.String()
}

// trimBody keeps the indentation of the first line, which may be code.
func trimBody(text string) string {
	text = strings.TrimRight(text, " \t\n")
	for {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// within are the sorted offsets from ≤ x < to.
func within(offsets []int, from, to int) []int {
	first, last := sort.SearchInts(offsets, from), sort.SearchInts(offsets, to)
	return offsets[first:max(first, last)]
}

// firstComment is the index of the first complexity comment at or behind an offset.
func (d *document) firstComment(offset int) int {
	return sort.Search(len(d.comments), func(i int) bool { return d.comments[i].start >= offset })
}

// commentIn is the first complexity comment of an entry.
func (d *document) commentIn(e entry) (comment, bool) {
	i := d.firstComment(e.start)
	if i == len(d.comments) || d.comments[i].start >= e.end {
		return comment{}, false
	}
	return d.comments[i], true
}
