package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/text"
)

const (
	tagCost    = 5   // of looking through a byte for the end of a tag, by a regular expression
	cellCost   = 300 // of a cell that a short row of a table is filled up with
	targetCost = 4   // of moving a line up where the target of a link stood before it
)

// marksCost is the most that marks cost which each may look through all of a block for a partner.
func marksCost(src []byte, lines *text.Segments) int {
	size, marks := 0, 0
	for i := range lines.Len() {
		at := lines.At(i)
		line := src[at.Start:at.Stop]
		size += len(line)
		for _, c := range line {
			switch c {
			case '*', '[', ']', '_', '`', '!':
				marks++
			case '<':
				marks += tagCost
			}
		}
	}
	return size * marks
}

// linesCost is the most that it costs to look for tables and the targets of links in the lines of a paragraph.
func (m *meter) linesCost(src []byte, lines *text.Segments) int {
	n, targets, columns, escaped := lines.Len(), 0, 0, 0
	for i := range n {
		at := lines.At(i)
		line := bytes.TrimLeft(src[at.Start:at.Stop], " \t")
		if len(line) == 0 {
			continue
		}
		switch line[0] {
		case '[':
			targets++
		case '|', ':', '-':
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	if columns > 1 {
		for i := range n {
			at := lines.At(i)
			escaped += bytes.Count(src[at.Start:at.Stop], []byte(`\|`))
		}
	}
	m.escaped += escaped
	return targets*n*targetCost + columns*n*cellCost/2 + escaped*m.escaped*2
}
