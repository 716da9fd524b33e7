package roadmap

import (
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// group is a list of fields at one indent: what is known of one feature.
type group struct {
	indent int
	name   string
	line   int // of the first field
	values map[string][]cell
}

// cell is a value as it stands in the text.
type cell struct {
	text string
	from int
	line int
}

func (c cell) span() span { return span{c.from, c.from + len(c.text)} }

var (
	fieldLine  = lazyregexp.New(`^([ \t]*)((?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(\*\*|__)?([A-Za-z][A-Za-z _-]*?)[ \t]*(\*\*:|__:|:\*\*|:__|:)(?:[ \t]+(.*))?$`)
	bulletLine = lazyregexp.New(`^([ \t]*)(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(.*)$`)
)

// kinds are the names of fields and columns that are understood.
var kinds = map[string]string{
	"status": "status", "state": "status",
	"spec": "spec", "specs": "spec", "spec path": "spec", "spec file": "spec", "specification": "spec", "proposal": "spec",
	"external id": "issue", "issue": "issue", "issues": "issue", "github": "issue", "github issue": "issue",
	"ticket": "issue", "tracker": "issue",
	"feature": "name", "title": "name", "name": "name", "item": "name",
}

func kindOf(name string) string {
	name = strings.ToLower(asRead(name))
	return kinds[strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")]
}

// field is a line like `- **Status:** planned`.
type field struct {
	indent int
	kind   string
	value  cell
}

func readField(l mdLine) (field, bool) {
	m := fieldLine.FindStringSubmatchIndex(l.text)
	if m == nil {
		return field{}, false
	}
	bullet, bold := m[4] >= 0, m[6] >= 0
	if separator := l.text[m[10]:m[11]]; bold != (len(separator) == 3) || !bold && !bullet {
		return field{}, false
	}
	f := field{indent: width(l.text[:m[3]]), kind: kindOf(l.text[m[8]:m[9]])}
	at := len(strings.TrimRight(l.text, " \t"))
	if m[12] >= 0 {
		at = min(at, m[12])
	}
	text := strings.TrimRight(l.text[at:], " \t")
	f.value = cell{text: text, from: l.from + at}
	return f, f.kind != ""
}

// width counts an indent, with tabs to the next multiple of four.
func width(indent string) int {
	n := 0
	for _, r := range indent {
		if n++; r == '\t' {
			n += 3 - (n-1)%4
		}
	}
	return n
}

// prose reads a line that may hold a field. number is the line's, from 1.
func (s *roadmapScan) prose(l mdLine, number int) {
	bullet := bulletLine.FindStringSubmatch(l.text)
	if indent := width(l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))]); indent >= 4 && !s.inList {
		return // code
	}
	s.inList = s.inList || bullet != nil
	f, ok := readField(l)
	switch {
	case ok:
		f.value.line = number
		s.add(f)
	case bullet != nil:
		s.close(width(bullet[1]) + 1)
		if len(s.groups) == 0 && width(bullet[1]) == 0 && s.name == "" {
			return
		}
	default:
		if m := boldLine.FindStringSubmatch(l.text); m != nil {
			s.close(0)
			s.name = asRead(m[1])
		}
	}
}

// add puts a field into the list that is open at its indent.
func (s *roadmapScan) add(f field) {
	s.close(f.indent + 1)
	var g *group
	if n := len(s.groups); n > 0 && s.groups[n-1].indent == f.indent {
		g = s.groups[n-1]
	} else {
		g = &group{indent: f.indent, name: s.name, line: f.value.line, values: map[string][]cell{}}
		s.groups = append(s.groups, g)
	}
	g.values[f.kind] = append(g.values[f.kind], f.value)
}

// close ends the lists whose indent is at least from.
func (s *roadmapScan) close(from int) {
	for n := len(s.groups); n > 0 && s.groups[n-1].indent >= from; n-- {
		s.take(s.groups[n-1])
		s.groups = s.groups[:n-1]
	}
}

// take makes a feature of a list of fields that names a spec.
func (s *roadmapScan) take(g *group) {
	row := RoadmapRow{Line: g.line, Name: g.name, room: -1}
	for _, c := range g.values["name"] {
		row.Name = asRead(c.text)
	}
	for _, c := range g.values["spec"] {
		row.specs = append(row.specs, specRefs(c.text)...)
	}
	if len(row.specs) == 0 {
		return
	}
	issues := g.values["issue"]
	if len(issues) == 0 {
		issues = []cell{{text: g.name}}
	}
	row.Issue = issueIn(issues...)
	switch found := g.values["status"]; {
	case len(found) == 0:
		row.problem = "it has no status"
	case len(found) > 1:
		row.problem = "it has several statuses"
	default:
		row.setStatus(found[0])
	}
	if len(g.values["spec"]) > 1 && row.problem == "" {
		row.problem = "it has several specs fields"
	}
	s.road.rows = append(s.road.rows, row)
}

func (row *RoadmapRow) setStatus(c cell) {
	row.Line, row.Status, row.at = c.line, c.text, c.span()
	status, ok := readStatus(c.text)
	if row.status = status; !ok {
		row.problem = "its status " + quoted(c.text) + " is not understood"
	}
}
