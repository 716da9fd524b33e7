package spec

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/autopilot/lazyregexp"
)

// lead is the bold text at the start of a line of prose.
type lead struct {
	text string
	// block is the paragraph, next the node behind it, or nil.
	block, next ast.Node
	// start is its offset.
	start int
}

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
	return lead{text: d.plain(bold), block: block, next: bold.NextSibling(), start: bold.Pos()}
}

// after is the offset of what follows a lead and its separator.
func (d *document) after(l lead) int {
	end := blockEnd(l.block)
	if l.next == nil {
		return end
	}
	return l.next.Pos() + leadEnd(d.src[l.next.Pos():end])
}

// sentence is the start of a paragraph that goes on in lower case behind a bold label.
var sentence = lazyregexp.New(`^\*\*[^*]*[\pL\pN]\*\*[ \t]+\p{Ll}`)

// isProse says whether a paragraph only begins with a label, and goes on as a sentence: "**Phase 1** creates it".
func (d *document) isProse(l lead) bool {
	found, ok := parseLabel(l.text, phaseKinds)
	return ok && found.name == "" && sentence.Match(d.src[l.start:d.lineEnd(l.start)])
}

// leadEnd is the length of the separator, with the space around it, that sets off a
// lead at the start of a text.
func leadEnd(text []byte) int {
	const space = " \t"
	rest := bytes.TrimLeft(text, space)
	for _, mark := range []string{":", "—", "–", ".", "--", "-"} {
		if bytes.HasPrefix(rest, []byte(mark)) {
			rest = rest[len(mark):]
			break
		}
	}
	return len(text) - len(bytes.TrimLeft(rest, space))
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

// plainUntilLead is the plain text up to the next lead of the paragraph.
func (d *document) plainUntilLead(n ast.Node) string {
	d.scratch = d.scratch[:0]
	for ; n != nil && !(isStrong(n) && d.startsLine(n)); n = n.NextSibling() {
		d.scratch = d.appendNode(d.scratch, n)
	}
	return string(collapsed(d.scratch))
}

// blockEnd is the offset after the last line of a block of text.
func blockEnd(n ast.Node) int {
	if n.Lines().Len() == 0 {
		return n.Pos()
	}
	return n.Lines().At(n.Lines().Len() - 1).Stop
}

// labelOf reads a lead as the label of a phase. Where the bold text is only the
// label, the name is what follows it.
func (d *document) labelOf(l lead) (label, bool) {
	found, ok := parseLabel(l.text, phaseKinds)
	if !ok || found.name != "" {
		return found, ok
	}
	text := d.plainUntilLead(l.next)
	if inside := nameInAside.FindStringSubmatch(text); inside != nil {
		found.name = trimName(inside[1])
	} else {
		found.name, _ = cutName(text)
	}
	return found, true
}

// nameInAside is the name in "**Step 2** (path helper) — no deps". A single word, or one with a number, is a remark.
var nameInAside = lazyregexp.New(`^\s*\(([^()\d]+ [^()\d]+)\)\s*(?:[—–]|--?\s)`)
