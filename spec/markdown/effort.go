package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

const (
	// maxEffort bounds the work that a document may be, in about nanoseconds: what people write is a hundredth of it.
	maxEffort = 400_000_000
	// maxLooks bounds how often one line is looked at. Each list or quotation around it takes a few.
	maxLooks = 2000
	// lookCost is that of looking at a line once, with what is noted of it.
	lookCost = 80
)

// effort is how much work reading a document may still be. Markdown can be written so that its reader takes hours for
// what is typed in seconds. What costs more the more of it belongs together is paid for before it is done, and where
// nothing is left the rest of the document is passed over and the document refused.
type effort struct {
	left int
	out  *Problem
	src  []byte
}

// spend says whether there was enough left for work at an offset.
func (e *effort) spend(cost, at int) bool {
	e.left -= cost
	if e.left < 0 && e.out == nil {
		e.out = &Problem{
			Line:    e.line(at),
			Message: "too many marks such as '[', '*', '<', '|' or '>' stand together for this to be read in a reasonable time",
			Hint:    "split the paragraph, list or table of this line, or put what is no Markdown between two lines of ```",
		}
	}
	return e.out == nil
}

func (e *effort) line(at int) int { return 1 + bytes.Count(e.src[:at], []byte("\n")) }

// refusal is the error where the effort did not do.
func (e *effort) refusal() error {
	if e.out == nil {
		return nil
	}
	return &ParseError{Problems: []Problem{*e.out}}
}

// meteredReader has the reading of blocks end at the next line when the effort is spent.
type meteredReader struct {
	text.Reader
	effort *effort
	looks  int // at the present line
}

// PeekLine returns what is left of the present line.
func (r *meteredReader) PeekLine() ([]byte, text.Segment) {
	r.looks++
	if r.effort.left -= lookCost; r.effort.left < 0 || r.looks > maxLooks {
		r.enough()
	}
	return r.Reader.PeekLine()
}

// enough notes why no line is read any more behind this one.
func (r *meteredReader) enough() {
	_, at := r.Position()
	if r.effort.spend(0, at.Start) {
		r.effort.out = &Problem{
			Line: r.effort.line(at.Start), Message: "lists and quotations are nested too deep here", Hint: "nest them less deep",
		}
	}
}

// AdvanceLine goes to the next line, or to the end.
func (r *meteredReader) AdvanceLine() {
	r.Reader.AdvanceLine()
	r.looks = 0
	if r.effort.out != nil {
		line, _ := r.Position()
		r.SetPosition(line, text.NewSegment(len(r.Source()), len(r.Source())))
	}
}

// meter pays for the work in paragraphs, headings and cells. It stands before the parsers that do it.
type meter struct {
	effort  *effort
	block   ast.Node // the last one that was paid for
	escaped int      // pipes of the cells of all tables
}

// Trigger are the marks that a reader looks for the partner of.
func (*meter) Trigger() []byte { return []byte("!*<[]_`") }

// Parse passes over the rest of the line when the effort is spent, and otherwise does nothing.
func (m *meter) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if parent != m.block {
		m.block = parent
		lines := parent.Lines()
		m.effort.spend(marksCost(block.Source(), lines), lines.At(0).Start)
	}
	if m.effort.out == nil {
		return nil
	}
	_, rest := block.PeekLine()
	rest = rest.TrimRightSpace(block.Source())
	block.Advance(rest.Len())
	return ast.NewTextSegment(rest)
}

// Transform takes a paragraph out that would be too much work to find tables and the targets of links in.
func (m *meter) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	if p.Lines().Len() == 0 {
		return
	}
	at := p.Lines().At(0).Start
	if !m.effort.spend(m.linesCost(r.Source(), p.Lines()), at) {
		p.Parent().RemoveChild(p.Parent(), p)
	}
}
