package spec

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

// document is a Markdown file with its syntax tree. Offsets are bytes of src.
type document struct {
	src    []byte
	front  map[string]string
	blocks []block
	// lines holds the offset at which each line starts.
	lines []int
	// comments are the complexity comments, by offset.
	comments []comment
	// misspelt are those that name a complexity without a colon.
	misspelt []comment
	// silences are those that say "not a phase".
	silences []comment
	// marks are the offsets of the x in ticked or empty check boxes.
	marks []int
	// lists are the items of the blocks that were asked for them.
	lists map[int][]item
	// scratch is where texts are put together, one at a time.
	scratch []byte
}

// block is a child of the document's root: only these can be sections, phases
// and tasks. A heading inside a list or a quotation is part of a phase's text.
type block struct {
	ast.Node
	start, end int
	// nextHeading is the index of the first heading behind it.
	nextHeading int
}

// heading returns the block as a heading, or nil.
func (b block) heading() *ast.Heading {
	h, _ := b.Node.(*ast.Heading)
	return h
}

// read parses a Markdown file.
func read(raw []byte) (*document, error) {
	src, err := clean(raw)
	if err != nil {
		return nil, err
	}
	d := &document{lists: map[int][]item{}}
	d.src, d.front = cutFrontMatter(src)
	d.lines = lineStarts(d.src)
	left := &effort{left: maxEffort, line: d.line}
	root := newParser(left).Parse(&meteredReader{Reader: text.NewReader(d.src), effort: left})
	if err := left.refusal(); err != nil {
		return nil, err
	}
	d.split(root)
	d.index(root)
	return d, nil
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
func (d *document) split(root ast.Node) {
	d.blocks = make([]block, 0, root.ChildCount())
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		d.blocks = append(d.blocks, block{Node: n, start: d.lineStart(max(n.Pos(), 0))})
	}
	end, heading := len(d.src), len(d.blocks)
	for i := len(d.blocks) - 1; i >= 0; i-- {
		b := &d.blocks[i]
		b.end, b.nextHeading = end, heading
		end = b.start
		if b.heading() != nil {
			heading = i
		}
	}
}

func lineStarts(src []byte) []int {
	starts := make([]int, 1, bytes.Count(src, []byte{'\n'})+1)
	for at := 0; ; {
		next := bytes.IndexByte(src[at:], '\n') + 1
		if at += next; next == 0 || at == len(src) {
			return starts
		}
		starts = append(starts, at)
	}
}

// line is the 1-based line of an offset.
func (d *document) line(offset int) int {
	return sort.SearchInts(d.lines, offset+1)
}

// lineStart is the offset at which the line of an offset starts.
func (d *document) lineStart(offset int) int {
	return d.lines[d.line(offset)-1]
}

// lineEnd is the offset after the line end of the line of an offset.
func (d *document) lineEnd(offset int) int {
	if line := d.line(offset); line < len(d.lines) {
		return d.lines[line]
	}
	return len(d.src)
}

// lineText is a line with its end, nil where there is none of this number.
func (d *document) lineText(line int) []byte {
	if line < 1 || line > len(d.lines) {
		return nil
	}
	return d.src[d.lines[line-1]:d.lineEnd(d.lines[line-1])]
}

// afterHeading is the offset at which the text below a heading starts. A heading
// that is underlined takes one line more than its text.
func (d *document) afterHeading(b block) int {
	last := b.start
	if n := b.Lines().Len(); n > 0 {
		last = b.Lines().At(n - 1).Start
	}
	end := d.lineEnd(last)
	if !bytes.HasPrefix(bytes.TrimLeft(d.src[b.start:], " "), []byte("#")) && end < len(d.src) {
		end = d.lineEnd(end)
	}
	return end
}

// blocksBelow are the indices of the blocks that belong to the heading block i:
// up to the next heading that is not deeper.
func (d *document) blocksBelow(i int) (from, to int) {
	level := d.blocks[i].heading().Level
	for to = i + 1; to < len(d.blocks); to++ {
		if h := d.blocks[to].heading(); h != nil && h.Level <= level {
			break
		}
	}
	return i + 1, to
}

// startOf is the offset of block i, or of the document's end.
func (d *document) startOf(i int) int {
	if i < len(d.blocks) {
		return d.blocks[i].start
	}
	return len(d.src)
}
