package spec

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// Complexity is how much human attention a phase needs.
type Complexity string

// The complexities. Medium is meant where a spec says nothing.
const (
	Low    Complexity = "low"
	Medium Complexity = "medium"
	High   Complexity = "high"
)

// Phase is one phase of a spec.
type Phase struct {
	// Number is as written in the spec: "1", "2a", "B".
	Number string
	// Name is plain text.
	Name       string
	Complexity Complexity
	// Explicit says that the spec names the complexity.
	Explicit bool
	// Body is the Markdown below the heading, or behind the label; that of a table
	// row is the row below the table's head. Line ends are "\n".
	Body string
	// Line is the 1-based line of the heading, item or row.
	Line int
	// SHA256 is over name and body, in hex. Check-box marks, trailing space, blank
	// lines and complexity comments do not count.
	SHA256 string
}

// Spec is what autopilot reads from a spec.
type Spec struct {
	Title string
	// Status is the value of a "Status:" line at the top, as written, or "".
	Status string
	Phases []Phase
	// Criteria are the success criteria in plain text.
	Criteria []string
	// SHA256 is over the raw bytes, in hex.
	SHA256 string
	// Unread is what a person would take for a phase, or for another one, and who begins with the spec has to mend. A
	// session that was begun goes on with it.
	Unread []markdown.Problem
	// Warnings are said, but stop nothing.
	Warnings []markdown.Problem
}

// Doubt is a *ParseError of what is unread, or nil.
func (s *Spec) Doubt() error { return markdown.Problems(s.Unread).Err() }

// specReader reads what a spec says beside its list of phases.
type specReader struct{ *markdown.Document }

// Parse reads a spec. The error is a *ParseError with each problem that stops.
func Parse(src []byte) (*Spec, error) {
	doc, err := markdown.Read(src)
	if err != nil {
		return nil, err
	}
	phases := newPhaseReader(doc)
	found, section, err := phases.findPhases()
	if err != nil {
		return nil, err
	}
	var wrong markdown.Problems
	d := &specReader{doc}
	s := &Spec{
		Title: d.Title(), Status: d.status(), Criteria: d.criteria(),
		Phases: d.phases(found, &wrong), SHA256: sum(src),
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	names := namesOf(found)
	s.Unread = (&unread{Document: doc, phases: phases, section: section, found: found, names: names}).of()
	s.Warnings = (&warnings{Document: doc, section: section, found: found, names: names}).of(s)
	return s, nil
}

func sum(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// phases makes phases of the entries and notes what is wrong with them.
func (d *specReader) phases(found []markdown.Entry, wrong *markdown.Problems) []Phase {
	all := make([]Phase, len(found))
	lines := make(map[string]int, len(found))
	for i, e := range found {
		p := Phase{
			Number: e.Number, Name: e.PhaseName(), Line: d.Line(e.Start),
			Body: e.Prefix + d.Raw(e.Body, e.End),
		}
		p.Complexity, p.Explicit = d.complexity(e, wrong)
		p.SHA256 = sum(d.AppendNormal([]byte(p.Name+"\n"+e.Prefix), e.Body, e.End))
		key := strings.ToLower(p.Number)
		if first := lines[key]; first > 0 {
			wrong.Add(p.Line, "give each phase its own number", "phase %s is also on line %d", p.Number, first)
		} else {
			lines[key] = p.Line
		}
		if p.Name == "" {
			wrong.Add(p.Line, "write what the phase is about behind its number", "phase %s has no name", p.Number)
		}
		all[i] = p
	}
	return all
}

// complexity reads the first complexity comment of an entry.
func (d *specReader) complexity(e markdown.Entry, wrong *markdown.Problems) (Complexity, bool) {
	c, ok := d.CommentIn(e)
	if !ok {
		return Medium, false
	}
	value := Complexity(strings.ToLower(c.Value))
	switch value {
	case Low, Medium, High:
		return value, true
	}
	wrong.Add(d.Line(c.Start), "write low, medium or high", "the complexity %q is not known", c.Value)
	return Medium, false
}

// status is the front matter's, else that of a "Status:" line above the second
// heading, up to a bar that sets off the next field.
func (d *specReader) status() string {
	if status := d.Front["status"]; status != "" {
		return status
	}
	headings := 0
	for _, b := range d.Blocks {
		if b.Heading() != nil {
			headings++
		}
		if headings > 1 {
			break
		}
		if status := d.statusIn(b.Node); status != "" {
			return status
		}
	}
	return ""
}

func (d *specReader) statusIn(n ast.Node) (status string) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || !markdown.IsText(n) || status != "" {
			return ast.WalkContinue, nil
		}
		for line := range strings.Lines(string(d.AppendChildren(nil, n))) {
			key, value, ok := strings.Cut(line, ":")
			if ok && status == "" && strings.EqualFold(strings.TrimSpace(key), "status") {
				value, _, _ = strings.Cut(value, "|")
				status = strings.TrimSpace(value)
			}
		}
		return ast.WalkSkipChildren, nil
	})
	return status
}
