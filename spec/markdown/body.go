package markdown

import (
	"bytes"
	"sort"
)

// Raw is the Markdown between two offsets, without the blank lines around it.
func (d *Document) Raw(from, to int) string {
	return string(trimBlank(d.Src[min(from, to):to]))
}

// AppendNormal appends raw without what does not count as a change: the marks of
// check boxes, complexity comments, those that say "not a phase", trailing space and blank lines.
func (d *Document) AppendNormal(b []byte, from, to int) []byte {
	start := len(b)
	b = append(b, d.Src[min(from, to):to]...)
	text := b[start:]
	for _, at := range within(d.marks, from, to) {
		text[at-from] = ' '
	}
	for _, all := range [][]Comment{d.Comments, d.Silences} {
		for i := firstAt(all, from); i < len(all) && all[i].End <= to; i++ {
			c := all[i]
			copy(text[c.Start-from:], blank(text[c.Start-from:c.End-from]))
		}
	}
	kept := b[:start] // each line moves towards the start, or stays
	for line := range bytes.Lines(trimBlank(text)) {
		if line = bytes.TrimRight(line, " \t\n"); len(line) == 0 {
			continue
		}
		if len(kept) > start {
			kept = append(kept, '\n')
		}
		kept = append(kept, line...)
	}
	return kept
}

// trimBlank keeps the indentation of the first line, which may be code.
func trimBlank(text []byte) []byte {
	text = bytes.TrimRight(text, " \t\n")
	for {
		line, rest, ok := bytes.Cut(text, []byte{'\n'})
		if !ok || len(bytes.TrimSpace(line)) > 0 {
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

// firstAt is the index of the first comment at or behind an offset.
func firstAt(all []Comment, offset int) int {
	return sort.Search(len(all), func(i int) bool { return all[i].Start >= offset })
}

// CommentIn is the first complexity comment of an entry.
func (d *Document) CommentIn(e Entry) (Comment, bool) {
	i := firstAt(d.Comments, e.Start)
	if i == len(d.Comments) || d.Comments[i].Start >= e.End {
		return Comment{}, false
	}
	return d.Comments[i], true
}
