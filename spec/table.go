package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/spec/markdown"
)

// nameColumns are the columns that name a phase, the best first.
var nameColumns = []string{"name", "title", "description", "deliverable", "what", "scope", "work", "focus", "goal", "task", "summary"}

// numberColumns are the columns that number the rows.
var numberColumns = []string{"#", "no", "no.", "nr", "number", "id", "order"}

// tablePhases reads phases from the first table with a Phase or Step column.
func (d *phaseReader) tablePhases(s markdown.BlockRange) []markdown.Entry {
	for i := s.From; i < s.To; i++ {
		table, ok := d.Blocks[i].Node.(*east.Table)
		if !ok {
			continue
		}
		header := d.cells(table.FirstChild())
		key := slices.IndexFunc(header, func(h string) bool { return h == "phase" || h == "step" })
		if key >= 0 {
			return d.rows(table, header, key, d.Blocks[i].End)
		}
	}
	return nil
}

// cells returns the texts of a row; those of the header are in lower case.
func (d *phaseReader) cells(row ast.Node) []string {
	var texts []string
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		text := d.Plain(c)
		if row.Kind() == east.KindTableHeader {
			text = strings.ToLower(text)
		}
		texts = append(texts, text)
	}
	return texts
}

// rows reads one phase a row. Its body is the row under the table's head, so that
// the columns keep their meaning.
func (d *phaseReader) rows(table *east.Table, header []string, key, end int) []markdown.Entry {
	first := table.FirstChild().NextSibling()
	if first == nil {
		return nil
	}
	head := string(d.Src[d.LineStart(table.Pos()):d.LineStart(first.Pos())])
	var found []markdown.Entry
	for row := first; row != nil; row = row.NextSibling() {
		start := d.LineStart(row.Pos())
		e := markdown.Entry{Place: markdown.AtRow, Start: start, Body: start, End: min(d.LineEnd(start), end), Prefix: head}
		e.Number, e.Name = nameRow(header, d.cells(row), key, len(found)+1)
		if (e.Name != "" || e.Number != "") && !d.notPhase[d.Line(start)] {
			found = append(found, e)
		}
	}
	return found
}

// nameRow reads "A1", "Phase 1", "1: Name" or "Name" from the key column, and what
// is missing there from the others.
func nameRow(header, cells []string, key, ordinal int) (number, name string) {
	text := cells[key]
	if l, ok := markdown.ParseLabel(text, markdown.PhaseKinds); ok {
		number, name = l.Id, l.Name
	} else if id, rest := markdown.CutID(undecorateID(text)); id != "" {
		if after, ok := markdown.CutName(rest); ok {
			number, name = id, after
		}
	}
	if number == "" {
		return numberOf(header, cells, ordinal), markdown.TrimName(text)
	}
	if name == "" {
		name = markdown.TrimName(cells[nameColumn(header, key)])
	}
	return number, name
}

// undecorateID drops the symbols before a number.
func undecorateID(text string) string { return strings.TrimLeft(text, "#[( ") }

func numberOf(header, cells []string, ordinal int) string {
	for i, h := range header {
		if slices.Contains(numberColumns, h) && cells[i] != "" {
			return markdown.TrimName(cells[i])
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
