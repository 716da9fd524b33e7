package spec

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"autopilot/autopilot/lazyregexp"
	"autopilot/spec/markdown"
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
func (d *phaseReader) leads(block ast.Node) []lead {
	var found []lead
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		if markdown.IsStrong(n) && d.StartsLine(n) {
			found = append(found, d.lead(block, n))
		}
	}
	return found
}

// leadOf returns the bold text that a paragraph or item starts with.
func (d *phaseReader) leadOf(block ast.Node) (lead, bool) {
	n := block.FirstChild()
	for n != nil && !markdown.IsStrong(n) && d.IsBlank(n) {
		n = n.NextSibling()
	}
	if n == nil || !markdown.IsStrong(n) {
		return lead{}, false
	}
	return d.lead(block, n), true
}

func (d *phaseReader) lead(block, bold ast.Node) lead {
	return lead{text: d.Plain(bold), block: block, next: bold.NextSibling(), start: bold.Pos()}
}

// after is the offset of what follows a lead and its separator.
func (d *phaseReader) after(l lead) int {
	end := markdown.BlockEnd(l.block)
	if l.next == nil {
		return end
	}
	return l.next.Pos() + leadEnd(d.Src[l.next.Pos():end])
}

// sentence is the start of a paragraph that goes on in lower case behind a bold label.
var sentence = lazyregexp.New(`^\*\*[^*]*[\pL\pN]\*\*[ \t]+\p{Ll}`)

// isProse says whether a paragraph only begins with a label, and goes on as a sentence: "**Phase 1** creates it".
func (d *phaseReader) isProse(l lead) bool {
	found, ok := markdown.ParseLabel(l.text, markdown.PhaseKinds)
	return ok && found.Name == "" && sentence.Match(d.Src[l.start:d.LineEnd(l.start)])
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

// labelOf reads a lead as the label of a phase. Where the bold text is only the
// label, the name is what follows it.
func (d *phaseReader) labelOf(l lead) (markdown.Label, bool) {
	found, ok := markdown.ParseLabel(l.text, markdown.PhaseKinds)
	if !ok || found.Name != "" {
		return found, ok
	}
	text := d.PlainUntil(l.next, func(n ast.Node) bool { return markdown.IsStrong(n) && d.StartsLine(n) })
	if inside := nameInAside.FindStringSubmatch(text); inside != nil {
		found.Name = markdown.TrimName(inside[1])
	} else {
		found.Name, _ = markdown.CutName(text)
	}
	return found, true
}

// nameInAside is the name in "**Step 2** (path helper) — no deps". A single word, or one with a number, is a remark.
var nameInAside = lazyregexp.New(`^\s*\(([^()\d]+ [^()\d]+)\)\s*(?:[—–]|--?\s)`)
