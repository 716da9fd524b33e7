package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Plain is the text of a node as a reader sees it: no markup, no HTML, white
// space collapsed to single spaces.
func (d *Document) Plain(n ast.Node) string {
	d.scratch = d.AppendChildren(d.scratch[:0], n)
	return string(collapsed(d.scratch))
}

// PlainUntil is the plain text of a node and those behind it, up to one that stops it.
func (d *Document) PlainUntil(n ast.Node, stop func(ast.Node) bool) string {
	d.scratch = d.scratch[:0]
	for ; n != nil && !stop(n); n = n.NextSibling() {
		d.scratch = d.appendNode(d.scratch, n)
	}
	return string(collapsed(d.scratch))
}

// AppendChildren appends the text of what is in a node, with its line breaks.
func (d *Document) AppendChildren(b []byte, n ast.Node) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b = d.appendNode(b, c)
	}
	return b
}

func (d *Document) appendNode(b []byte, n ast.Node) []byte {
	switch n := n.(type) {
	case *ast.Text:
		return d.appendText(b, n)
	case *ast.String:
		return append(b, n.Value...)
	case *ast.AutoLink:
		return append(b, n.Label(d.Src)...)
	case *ast.RawHTML, *ast.HTMLBlock, *ast.FencedCodeBlock, *ast.CodeBlock:
		return b
	}
	b = d.AppendChildren(b, n)
	if n.Type() == ast.TypeBlock {
		b = append(b, ' ')
	}
	return b
}

// appendText resolves escapes and entities, except in code, where they are text.
func (d *Document) appendText(b []byte, n *ast.Text) []byte {
	value := n.Segment.Value(d.Src)
	if bytes.IndexByte(value, '\\') >= 0 || bytes.IndexByte(value, '&') >= 0 {
		value = resolved(value, n)
	}
	b = append(b, value...)
	if n.SoftLineBreak() || n.HardLineBreak() {
		b = append(b, '\n')
	}
	return b
}

func resolved(value []byte, n *ast.Text) []byte {
	if _, code := n.Parent().(*ast.CodeSpan); code {
		return value
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
}

// collapsed makes single spaces of the white space in a text, where it lies.
func collapsed(text []byte) []byte {
	out, gap := text[:0], false
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[i:])
		}
		if unicode.IsSpace(c) {
			gap = len(out) > 0
		} else {
			if gap {
				out, gap = append(out, ' '), false
			}
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return out
}

// Collapse makes single spaces of the white space in a text.
func Collapse(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// IsStrong says whether a node is bold text.
func IsStrong(n ast.Node) bool {
	e, ok := n.(*ast.Emphasis)
	return ok && e.Level == 2
}

// StartsLine says whether a node is the first thing on a line of its paragraph.
func (d *Document) StartsLine(n ast.Node) bool {
	for n = n.PreviousSibling(); n != nil; n = n.PreviousSibling() {
		if t, ok := n.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			return true
		}
		if !d.IsBlank(n) {
			return false
		}
	}
	return true
}

// IsBlank says whether nothing but white space or a check box stands in a node.
func (d *Document) IsBlank(n ast.Node) bool {
	if t, ok := n.(*ast.Text); ok {
		return len(bytes.TrimSpace(t.Segment.Value(d.Src))) == 0
	}
	return n.Kind() == east.KindTaskCheckBox
}

// BlockEnd is the offset after the last line of a block of text.
func BlockEnd(n ast.Node) int {
	if n.Lines().Len() == 0 {
		return n.Pos()
	}
	return n.Lines().At(n.Lines().Len() - 1).Stop
}
