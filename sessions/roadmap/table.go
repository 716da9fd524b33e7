package roadmap

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// table reads the features of a table. A row as long as the head is kept as long, where it has room.
func (r *reader) table(t *east.Table) {
	head := r.cells(t.FirstChild())
	for n := t.FirstChild().NextSibling(); n != nil; n = n.NextSibling() {
		row, g, columns := RoadmapRow{table: true, room: -1}, group{}, map[string]int{}
		all := r.cells(n)
		for i, h := range head {
			kind := kindOf(h.text)
			columns[kind]++
			if i < len(all) {
				g[kind] = append(g[kind], all[i])
			}
		}
		switch {
		case columns["status"] == 0:
			row.problem = "its table has no column Status"
		case columns["status"] > 1:
			row.problem = "its table has several columns Status"
		case len(g["status"]) == 0:
			row.problem = "its row has no cell for the status"
		case r.width(all[0]) == r.width(head[0]):
			row.room = g["status"][0].behind
		}
		if len(all) > 0 {
			named := append(g["name"], all[0])[:1]
			if row.Name = asRead(named[0].text); columns["issue"] == 0 {
				g["issue"] = named
			}
		}
		r.feature(row, g)
	}
}

// cells are those that a row has in the text: one that is too short is filled up in the tree.
func (r *reader) cells(row ast.Node) []cell {
	var all []cell
	for n := row.FirstChild(); n != nil && n.Lines().Len() > 0; n = n.NextSibling() {
		at := n.Lines().At(0)
		before, behind := r.src[:at.Start], r.src[at.Stop:]
		c := cell{string(at.Value(r.src)), r.base + at.Start, len(behind) - len(bytes.TrimLeft(behind, " \t"))}
		if c.text == "" {
			c.behind = len(before) - len(bytes.TrimRight(before, " \t"))
			c.from -= c.behind
		}
		all = append(all, c)
	}
	return all
}

// width is how many characters the line of a cell has.
func (r *reader) width(c cell) int {
	at := c.from - r.base
	line, _, _ := bytes.Cut(r.src[bytes.LastIndexByte(r.src[:at], '\n')+1:], []byte("\n"))
	return utf8.RuneCount(line)
}

// replaced is the edit that gives a row a new status. Where the table keeps its bars in line, blanks behind the status
// make up for the difference.
func (row RoadmapRow) replaced(value string) edit {
	if row.Status == "" {
		value = " " + value
		if row.table {
			value += strings.Repeat(" ", max(1, row.room-utf8.RuneCountInString(value)))
		}
		return edit{row.at, value}
	}
	longer := utf8.RuneCountInString(value) - utf8.RuneCountInString(row.Status)
	switch {
	case row.room >= 0 && longer < 0:
		value += strings.Repeat(" ", -longer)
	case row.room > 1 && longer > 0:
		row.at.to += min(longer, row.room-1)
	}
	return edit{row.at, value}
}
