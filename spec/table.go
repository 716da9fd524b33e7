package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// nameColumns are the columns that name a phase, the best first.
var nameColumns = []string{"name", "title", "description", "deliverable", "what", "scope", "work", "focus", "goal", "task", "summary"}

// numberColumns are the columns that number the rows.
var numberColumns = []string{"#", "no", "no.", "nr", "number", "id", "order"}

// tablePhases reads phases from the first table with a Phase or Step column.
func (d *phaseReader) tablePhases(s blockRange) []entry {
	for i := s.from; i < s.to; i++ {
		table, ok := d.blocks[i].Node.(*east.Table)
		if !ok {
			continue
		}
		header := d.cells(table.FirstChild())
		key := slices.IndexFunc(header, func(h string) bool { return h == "phase" || h == "step" })
		if key >= 0 {
			return d.rows(table, header, key, d.blocks[i].end)
		}
	}
	return nil
}

// cells returns the texts of a row; those of the header are in lower case.
func (d *phaseReader) cells(row ast.Node) []string {
	var texts []string
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		text := d.plain(c)
		if row.Kind() == east.KindTableHeader {
			text = strings.ToLower(text)
		}
		texts = append(texts, text)
	}
	return texts
}

// rows reads one phase a row. Its body is the row under the table's head, so that
// the columns keep their meaning.
func (d *phaseReader) rows(table *east.Table, header []string, key, end int) []entry {
	first := table.FirstChild().NextSibling()
	if first == nil {
		return nil
	}
	head := string(d.src[d.lineStart(table.Pos()):d.lineStart(first.Pos())])
	var found []entry
	for row := first; row != nil; row = row.NextSibling() {
		start := d.lineStart(row.Pos())
		e := entry{place: atRow, start: start, body: start, end: min(d.lineEnd(start), end), prefix: head}
		e.number, e.name = nameRow(header, d.cells(row), key, len(found)+1)
		if (e.name != "" || e.number != "") && !d.notPhase[d.line(start)] {
			found = append(found, e)
		}
	}
	return found
}

// nameRow reads "A1", "Phase 1", "1: Name" or "Name" from the key column, and what
// is missing there from the others.
func nameRow(header, cells []string, key, ordinal int) (number, name string) {
	text := cells[key]
	if l, ok := parseLabel(text, phaseKinds); ok {
		number, name = l.id, l.name
	} else if id, rest := cutID(undecorateID(text)); id != "" {
		if after, ok := cutName(rest); ok {
			number, name = id, after
		}
	}
	if number == "" {
		return numberOf(header, cells, ordinal), trimName(text)
	}
	if name == "" {
		name = trimName(cells[nameColumn(header, key)])
	}
	return number, name
}

// undecorateID drops the symbols before a number.
func undecorateID(text string) string { return strings.TrimLeft(text, "#[( ") }

func numberOf(header, cells []string, ordinal int) string {
	for i, h := range header {
		if slices.Contains(numberColumns, h) && cells[i] != "" {
			return trimName(cells[i])
		}
	}
	return strconv.Itoa(ordinal)
}

// nameColumn is the column that names the phases: a known one, else the next.
func nameColumn(header []string, key int) int {
	for _, want := range nameColumns {
		if i := slices.Index(header, want); i >= 0 && i != key {
			return i
		}
	}
	if key+1 < len(header) {
		return key + 1
	}
	return 0
}
