package roadmap

import (
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/lazyregexp"
)

var delimiterLine = lazyregexp.New(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// isTable says whether a table begins at a line: a row with a delimiter row of as many cells below.
func (s *roadmapScan) isTable(i int) bool {
	if i+1 >= len(s.lines) || !strings.Contains(s.lines[i].text, "|") {
		return false
	}
	below := s.lines[i+1]
	return strings.Contains(below.text, "-") && delimiterLine.MatchString(below.text) && len(cells(below)) == len(cells(s.lines[i]))
}

// table reads the table that begins at a line, and returns its last line.
func (s *roadmapScan) table(head int) int {
	columns := map[string][]int{}
	for i, c := range cells(s.lines[head]) {
		if kind := kindOf(c.text); kind != "" {
			columns[kind] = append(columns[kind], i)
		}
	}
	last := head + 1
	for last+1 < len(s.lines) && s.inTable(s.lines[last+1].text) {
		last++
		if len(columns["spec"]) > 0 {
			s.row(columns, last, utf8.RuneCountInString(s.lines[head].text))
		}
	}
	return last
}

func (s *roadmapScan) inTable(line string) bool {
	return strings.Contains(line, "|") && !strings.HasPrefix(strings.TrimSpace(line), ">") && !headingLine.MatchString(line)
}

// row makes a feature of a table's row that names a spec. A row as long as the head is kept as long, where it has room.
func (s *roadmapScan) row(columns map[string][]int, i, long int) {
	line := s.lines[i]
	all := cells(line)
	at := func(kind string) []cell {
		var found []cell
		for _, column := range columns[kind] {
			if column < len(all) {
				all[column].line = i + 1
				found = append(found, all[column].cell)
			}
		}
		return found
	}
	row := RoadmapRow{Line: i + 1, table: true, room: -1}
	for _, c := range at("spec") {
		row.specs = append(row.specs, specRefs(c.text)...)
	}
	if len(row.specs) == 0 {
		return
	}
	named := append(at("name"), all[0].cell)
	row.Name = asRead(named[0].text)
	if row.Issue = issueIn(at("issue")...); len(columns["issue"]) == 0 {
		row.Issue = issueIn(named[0])
	}
	switch found := at("status"); {
	case len(columns["status"]) == 0:
		row.problem = "its table has no column Status"
	case len(columns["status"]) > 1:
		row.problem = "its table has several columns Status"
	case len(found) == 0:
		row.problem = "its row has no cell for the status"
	default:
		row.setStatus(found[0])
		if row.Status == "" {
			row.at.to += all[columns["status"][0]].behind
		}
		if utf8.RuneCountInString(line.text) == long {
			row.room = all[columns["status"][0]].behind
		}
	}
	s.road.rows = append(s.road.rows, row)
}

// tableCell is a cell without the blanks around it, and how many are behind it.
type tableCell struct {
	cell
	behind int
}

// cells splits a table's row at the bars that are not escaped.
func cells(l mdLine) []tableCell {
	var all []tableCell
	from := len(l.text) - len(strings.TrimLeft(l.text, " \t"))
	if strings.HasPrefix(l.text[from:], "|") {
		from++
	}
	end := len(strings.TrimRight(l.text, " \t"))
	for i := from; i < end; i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '|':
			all = append(all, cellAt(l, from, i))
			from = i + 1
		}
	}
	if from < end {
		all = append(all, cellAt(l, from, end))
	}
	return all
}

func cellAt(l mdLine, from, to int) tableCell {
	raw := l.text[from:to]
	text := strings.Trim(raw, " \t")
	if text == "" {
		return tableCell{cell{from: l.from + from}, len(raw)}
	}
	at := strings.Index(raw, text)
	return tableCell{cell{text: text, from: l.from + from + at}, len(raw) - at - len(text)}
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
