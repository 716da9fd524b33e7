package spec

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/autopilot/lazyregexp"
)

// lead is the bold text at the start of a line of prose.
type lead struct {
	text string
	// rest is the plain text behind it, up to the next lead of the paragraph.
	rest string
	// start is its offset, after that of what follows it.
	start, after int
}

// leadEnd is the separator, with the space around it, that sets off a lead.
var leadEnd = lazyregexp.New(`^[ \t]*(?:[:—–.]|--?)?[ \t]*`)

// leads returns the bold starts of lines of a paragraph.
func (d *document) leads(block ast.Node) []lead {
	var found []lead
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		if isStrong(n) && d.startsLine(n) {
			found = append(found, d.lead(block, n))
		}
	}
	return found
}

// leadOf returns the bold text that a paragraph or item starts with.
func (d *document) leadOf(block ast.Node) (lead, bool) {
	n := block.FirstChild()
	for n != nil && !isStrong(n) && d.isBlank(n) {
		n = n.NextSibling()
	}
	if n == nil || !isStrong(n) {
		return lead{}, false
	}
	return d.lead(block, n), true
}

func (d *document) lead(block, bold ast.Node) lead {
	l := lead{text: d.plain(bold), start: bold.Pos(), after: blockEnd(block)}
	if next := bold.NextSibling(); next != nil {
		l.after, l.rest = next.Pos(), d.plainUntilLead(next)
		l.after += len(leadEnd.Find(d.src[l.after:blockEnd(block)]))
	}
	return l
}

// startsLine says whether a node is the first thing on a line of its paragraph.
func (d *document) startsLine(n ast.Node) bool {
	for n = n.PreviousSibling(); n != nil; n = n.PreviousSibling() {
		if t, ok := n.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			return true
		}
		if !d.isBlank(n) {
			return false
		}
	}
	return true
}

// isBlank says whether nothing but white space or a check box stands in a node.
func (d *document) isBlank(n ast.Node) bool {
	if t, ok := n.(*ast.Text); ok {
		return len(bytes.TrimSpace(t.Segment.Value(d.src))) == 0
	}
	return n.Kind() == east.KindTaskCheckBox
}

func (d *document) plainUntilLead(n ast.Node) string {
	var b strings.Builder
	for ; n != nil && !(isStrong(n) && d.startsLine(n)); n = n.NextSibling() {
		d.writeNode(&b, n)
	}
	return collapse(b.String())
}

// blockEnd is the offset after the last line of a block of text.
func blockEnd(n ast.Node) int {
	if n.Lines().Len() == 0 {
		return n.Pos()
	}
	return n.Lines().At(n.Lines().Len() - 1).Stop
}

// label reads a lead as the label of a phase. Where the bold text is only the
// label, the name is what follows it.
func (l lead) label() (label, bool) {
	found, ok := parseLabel(l.text, phaseKinds)
	if !ok || found.name != "" {
		return found, ok
	}
	found.name, _ = cutName(l.rest)
	return found, true
}
