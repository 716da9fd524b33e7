package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Comment is an HTML comment that speaks of complexity.
type Comment struct {
	Start, End int
	// Value is what follows the colon.
	Value string
}

// index notes the complexity comments and check boxes of a node and all below it. Code is
// no HTML in the tree, so a comment that is shown as code is never noted.
func (d *Document) index(n ast.Node) {
	switch n := n.(type) {
	case *ast.HTMLBlock:
		start, end := span(n.Lines())
		if n.HasClosure() {
			end = n.ClosureLine.Stop
		}
		d.scanComments(start, end)
	case *ast.RawHTML:
		d.scanComments(span(n.Segments))
	case *east.TaskCheckBox:
		d.marks = append(d.marks, n.Pos()+1)
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		d.index(child)
	}
}

// span is the stretch of source from the first to the last of the segments.
func span(s *text.Segments) (start, end int) {
	if s == nil || s.Len() == 0 {
		return 0, 0
	}
	return s.At(0).Start, s.At(s.Len() - 1).Stop
}

// scanComments notes the complexity comments of a stretch of HTML.
func (d *Document) scanComments(start, end int) {
	const opening, closing = "<!--", "-->"
	for {
		open := bytes.Index(d.Src[start:end], []byte(opening))
		if open < 0 {
			return
		}
		open += start
		// "<!-->" is a whole comment: its dashes may serve both ends.
		size := bytes.Index(d.Src[open+len("<!"):end], []byte(closing))
		if size < 0 {
			return
		}
		stop := open + len("<!") + size
		start = stop + len(closing)
		key, value, ok := strings.Cut(string(d.Src[min(open+len(opening), stop):stop]), ":")
		if ok && strings.EqualFold(strings.TrimSpace(key), "complexity") {
			d.Comments = append(d.Comments, Comment{open, start, strings.TrimSpace(value)})
		} else if value := misspelt(key); !ok && value != "" {
			d.Misspelt = append(d.Misspelt, Comment{open, start, value})
		} else if strings.HasPrefix(strings.ToLower(Collapse(key)), NotAPhase) {
			d.Silences = append(d.Silences, Comment{open, start, ""})
		}
	}
}

// NotAPhase is the comment by which a person says that something only looks like a phase.
const NotAPhase = "not a phase"

// misspelt is the complexity that a comment names without a colon, "" where it names none: "complexity = high".
func misspelt(text string) string {
	const word = "complexity"
	text = strings.ToLower(strings.TrimSpace(text))
	if !strings.HasPrefix(text, word) {
		return ""
	}
	switch value := strings.Trim(text[len(word):], " \t=-–—"); value {
	case "low", "medium", "high":
		return value
	}
	return ""
}
