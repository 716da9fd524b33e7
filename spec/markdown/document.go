package markdown

import (
	"bytes"
	"sort"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Document is a Markdown file with its syntax tree. Offsets are bytes of src.
type Document struct {
	Src    []byte
	Front  map[string]string
	Blocks []Block
	// lines holds the offset at which each line starts.
	lines []int
	// Comments are the complexity comments, by offset.
	Comments []Comment
	// Misspelt are those that name a complexity without a colon.
	Misspelt []Comment
	// Silences are those that say "not a phase".
	Silences []Comment
	// marks are the offsets of the x in ticked or empty check boxes.
	marks []int
	// lists are the items of the blocks that were asked for them.
	lists map[int][]Item
	// scratch is where texts are put together, one at a time.
	scratch []byte
}

// Block is a child of the document's root: only these can be sections, phases
// and tasks. A heading inside a list or a quotation is part of a phase's text.
type Block struct {
	ast.Node
	Start, End int
	// NextHeading is the index of the first heading behind it.
	NextHeading int
}

// Heading returns the block as a heading, or nil.
func (b Block) Heading() *ast.Heading {
	h, _ := b.Node.(*ast.Heading)
	return h
}

// Read parses a Markdown file.
func Read(raw []byte) (*Document, error) {
	src, err := clean(raw)
	if err != nil {
		return nil, err
	}
	d := &Document{lists: map[int][]Item{}}
	d.Src, d.Front = cutFrontMatter(src)
	d.lines = LineStarts(d.Src)
	root, err := Parse(d.Src)
	if err != nil {
		return nil, err
	}
	d.split(root)
	d.index(root)
	return d, nil
}

// Parse gives the syntax tree of a text. It is a *ParseError where that would take too long.
func Parse(src []byte) (ast.Node, error) {
	if err := refuseLong(src); err != nil {
		return nil, err
	}
	left := &effort{left: maxEffort, src: src}
	root := newParser(left).Parse(&meteredReader{Reader: text.NewReader(src), effort: left})
	return root, left.refusal()
}

// newParser is the parser of a document, which spends an effort.
func newParser(e *effort) parser.Parser {
	first := util.Prioritized(&meter{effort: e}, 0)
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.TaskList),
		goldmark.WithParserOptions(parser.WithInlineParsers(first), parser.WithParagraphTransformers(first)),
	).Parser()
}

// split lists the blocks, each up to where the next one starts.
func (d *Document) split(root ast.Node) {
	d.Blocks = make([]Block, 0, root.ChildCount())
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		d.Blocks = append(d.Blocks, Block{Node: n, Start: d.LineStart(max(n.Pos(), 0))})
	}
	end, heading := len(d.Src), len(d.Blocks)
	for i := len(d.Blocks) - 1; i >= 0; i-- {
		b := &d.Blocks[i]
		b.End, b.NextHeading = end, heading
		end = b.Start
		if b.Heading() != nil {
			heading = i
		}
	}
}

// LineStarts are the offsets at which the lines of a text start.
func LineStarts(src []byte) []int {
	starts := make([]int, 1, bytes.Count(src, []byte{'\n'})+1)
	for at := 0; ; {
		next := bytes.IndexByte(src[at:], '\n') + 1
		if at += next; next == 0 || at == len(src) {
			return starts
		}
		starts = append(starts, at)
	}
}

// Line is the 1-based line of an offset.
func (d *Document) Line(offset int) int {
	return sort.SearchInts(d.lines, offset+1)
}

// LineStart is the offset at which the line of an offset starts.
func (d *Document) LineStart(offset int) int {
	return d.lines[d.Line(offset)-1]
}

// LineEnd is the offset after the line end of the line of an offset.
func (d *Document) LineEnd(offset int) int {
	if line := d.Line(offset); line < len(d.lines) {
		return d.lines[line]
	}
	return len(d.Src)
}

// LineText is a line with its end, nil where there is none of this number.
func (d *Document) LineText(line int) []byte {
	if line < 1 || line > len(d.lines) {
		return nil
	}
	return d.Src[d.lines[line-1]:d.LineEnd(d.lines[line-1])]
}

// AfterHeading is the offset at which the text below a heading starts. A heading
// that is underlined takes one line more than its text.
func (d *Document) AfterHeading(b Block) int {
	last := b.Start
	if n := b.Lines().Len(); n > 0 {
		last = b.Lines().At(n - 1).Start
	}
	end := d.LineEnd(last)
	if !bytes.HasPrefix(bytes.TrimLeft(d.Src[b.Start:], " "), []byte("#")) && end < len(d.Src) {
		end = d.LineEnd(end)
	}
	return end
}

// BlocksBelow are the indices of the blocks that belong to the heading block i:
// up to the next heading that is not deeper.
func (d *Document) BlocksBelow(i int) (from, to int) {
	level := d.Blocks[i].Heading().Level
	for to = i + 1; to < len(d.Blocks); to++ {
		if h := d.Blocks[to].Heading(); h != nil && h.Level <= level {
			break
		}
	}
	return i + 1, to
}

// StartOf is the offset of block i, or of the document's end.
func (d *Document) StartOf(i int) int {
	if i < len(d.Blocks) {
		return d.Blocks[i].Start
	}
	return len(d.Src)
}
