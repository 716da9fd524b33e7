package spec

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// comment is an HTML comment that speaks of complexity.
type comment struct {
	start, end int
	// value is what follows the colon.
	value string
}

// index notes the complexity comments and check boxes of a node and all below it. Code is
// no HTML in the tree, so a comment that is shown as code is never noted.
func (d *document) index(n ast.Node) {
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
func (d *document) scanComments(start, end int) {
	const opening, closing = "<!--", "-->"
	for {
		open := bytes.Index(d.src[start:end], []byte(opening))
		if open < 0 {
			return
		}
		open += start
		// "<!-->" is a whole comment: its dashes may serve both ends.
		size := bytes.Index(d.src[open+len("<!"):end], []byte(closing))
		if size < 0 {
			return
		}
		stop := open + len("<!") + size
		start = stop + len(closing)
		key, value, ok := strings.Cut(string(d.src[min(open+len(opening), stop):stop]), ":")
		if ok && strings.EqualFold(strings.TrimSpace(key), "complexity") {
			d.comments = append(d.comments, comment{open, start, strings.TrimSpace(value)})
		} else if value := misspelt(key); !ok && value != "" {
			d.misspelt = append(d.misspelt, comment{open, start, value})
		} else if strings.HasPrefix(strings.ToLower(collapse(key)), notAPhase) {
			d.silences = append(d.silences, comment{open, start, ""})
		}
	}
}

// notAPhase is the comment by which a person says that something only looks like a phase.
const notAPhase = "not a phase"

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
