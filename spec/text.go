package spec

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// plain is the text of a node as a reader sees it: no markup, no HTML, white
// space collapsed to single spaces.
func (d *document) plain(n ast.Node) string {
	var b strings.Builder
	d.writeChildren(&b, n)
	return collapse(b.String())
}

func (d *document) writeChildren(b *strings.Builder, n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.writeNode(b, c)
	}
}

func (d *document) writeNode(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		d.writeText(b, n)
	case *ast.String:
		b.Write(n.Value)
	case *ast.AutoLink:
		b.Write(n.Label(d.src))
	case *ast.RawHTML, *ast.HTMLBlock, *ast.FencedCodeBlock, *ast.CodeBlock:
	default:
		d.writeChildren(b, n)
		if n.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}

// writeText resolves escapes and entities, except in code, where they are text.
func (d *document) writeText(b *strings.Builder, n *ast.Text) {
	value := n.Segment.Value(d.src)
	if _, code := n.Parent().(*ast.CodeSpan); !code {
		value = util.UnescapePunctuations(value)
		value = util.ResolveEntityNames(util.ResolveNumericReferences(value))
	}
	b.Write(value)
	if n.SoftLineBreak() || n.HardLineBreak() {
		b.WriteByte('\n')
	}
}

func collapse(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// isStrong says whether a node is bold text.
func isStrong(n ast.Node) bool {
	e, ok := n.(*ast.Emphasis)
	return ok && e.Level == 2
}
