package roadmap

import (
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/autopilot/lazyregexp"
	"autopilot/spec/markdown"
)

// reader collects the features of a roadmap.
type reader struct {
	rows []RoadmapRow
	src  []byte // what is behind a byte order mark and the front matter
	base int    // where src begins in the text
	// lines are the offsets at which the lines of the whole text start.
	lines []int
	name  string // of the feature that fields belong to: the heading, or a bold line
	open  group  // the fields below it
}

// group are the values of a list of fields or of a table's row, by kind: what is known of one feature.
type group map[string][]cell

// cell is a value as it stands in the text.
type cell struct {
	text   string
	from   int
	behind int // blanks behind it, in a table; an empty cell begins with them
}

var (
	// front is a byte order mark and the front matter, synced the value in it that says when the file was synced last.
	front  = lazyregexp.New(`^\x{feff}?(?:---[ \t]*\r?\n(?:.*\n)*?---[ \t]*(?:\r?\n|$))?`)
	synced = lazyregexp.New(`(?m)^last_synced:[ \t]*(.*?)[ \t\r]*$`)

	boldLine = lazyregexp.New(`^(?:\*\*|__)([^*_]+)(?:\*\*|__):?$`)
)

func readRoadmap(text []byte) (*Roadmap, error) {
	r := &reader{base: len(front.Find(text)), lines: markdown.LineStarts(text), open: group{}}
	r.src = text[r.base:]
	root, err := markdown.Parse(r.src)
	if err != nil {
		return nil, &RoadmapError{Why: err.Error()}
	}
	r.blocks(root.FirstChild(), r.open)
	r.section("")
	road := &Roadmap{text: text, rows: r.rows, synced: span{-1, -1}}
	if m := synced.FindStringSubmatchIndex(string(text[:r.base])); m != nil {
		road.synced = span{m[2], m[3]}
	}
	return road, nil
}

// blocks reads a block and those behind it. Code, comments and quotations hold no feature.
func (r *reader) blocks(n ast.Node, fields group) {
	for ; n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			r.section(string(n.Lines().Value(r.src)))
		case *ast.ThematicBreak:
			r.section(r.name)
		case *ast.Paragraph:
			r.paragraph(n, fields)
		case *ast.List:
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				r.item(item, fields)
			}
		case *east.Table:
			r.section(r.name)
			r.table(n)
		}
	}
}

// section begins a feature: what follows belongs to it.
func (r *reader) section(name string) {
	r.list(r.open)
	clear(r.open)
	r.name = asRead(name)
}

// paragraph reads the fields that begin lines. A bold line begins a feature.
func (r *reader) paragraph(n ast.Node, fields group) {
	for _, l := range r.textOf(n) {
		if m := boldLine.FindStringSubmatch(l.text); !fields.read(l, false) && m != nil && n.Parent().Kind() == ast.KindDocument {
			r.section(m[1])
		}
	}
}

// item reads a list's item, which may be a field. What else it holds is a feature of its own.
func (r *reader) item(item ast.Node, fields group) {
	inside, n := group{}, item.FirstChild()
	if n != nil && (n.Kind() == ast.KindTextBlock || n.Kind() == ast.KindParagraph) {
		for i, l := range r.textOf(n) {
			if !fields.read(l, i == 0) && i == 0 {
				fields = inside
			}
		}
		n = n.NextSibling()
	}
	r.blocks(n, inside)
	r.list(inside)
}

// textOf are the lines of a paragraph.
func (r *reader) textOf(n ast.Node) []cell {
	var all []cell
	for _, at := range n.Lines().Sliced(0, n.Lines().Len()) {
		all = append(all, cell{text: strings.TrimRight(string(at.Value(r.src)), " \t\r\n"), from: r.base + at.Start})
	}
	return all
}

// list makes a feature of a list of fields that names a spec.
func (r *reader) list(g group) {
	row := RoadmapRow{Name: r.name, room: -1}
	if len(g["name"]) > 0 {
		row.Name = asRead(g["name"][0].text)
	}
	if len(g["issue"]) == 0 {
		g["issue"] = []cell{{text: r.name}}
	}
	if len(g["spec"]) > 1 {
		row.problem = "it has several specs fields"
	}
	r.feature(row, g)
}

// feature adds a row with the specs, the issue and the status that its values name.
func (r *reader) feature(row RoadmapRow, g group) {
	for _, c := range g["spec"] {
		row.specs = append(row.specs, specRefs(c.text)...)
		row.Line = r.line(c)
	}
	if len(row.specs) == 0 {
		return
	}
	row.Issue = issueIn(g["issue"]...)
	switch found := g["status"]; {
	case row.problem != "":
	case len(found) == 0:
		row.problem = "it has no status"
	case len(found) > 1:
		row.problem = "it has several statuses"
	default:
		r.setStatus(&row, found[0])
	}
	r.rows = append(r.rows, row)
}

func (r *reader) line(c cell) int { return sort.SearchInts(r.lines, c.from+1) }

func (r *reader) setStatus(row *RoadmapRow, c cell) {
	row.Line, row.Status, row.at = r.line(c), c.text, span{c.from, c.from + len(c.text)}
	if c.text == "" {
		row.at.to += c.behind
	}
	understood := false
	if row.status, understood = readStatus(c.text); !understood {
		row.problem = "its status " + strconv.Quote(c.text) + " is not understood"
	}
}
