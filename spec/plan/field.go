package plan

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// field is one "**Key:** value" of a plan.
type field struct {
	key string
	// raw is the value as written; tokens are its parts.
	raw    string
	tokens []token
	line   int
}

// fieldKeys maps the words of a key to the field. Planners vary them.
var fieldKeys = map[string]string{
	"spec": "spec", "phase": "phase", "goal": "goal", "options": "options",
	"depends on": "depends on", "depends": "depends on", "dependencies": "depends on",
	"files": "files", "file": "files", "owns": "owns",
	"validation": "validation", "changes tests": "changes tests",
}

// owed says whether a task's order or evidence hangs on a field, so that it must
// be complete.
func owed(key string) bool {
	return slices.Contains([]string{"depends on", "files", "owns", "validation", "changes tests"}, key)
}

// keyMark is a key in a paragraph: where it starts, and where its value does.
type keyMark struct {
	key          string
	start, value int
}

// fields reads the fields of the blocks from ≤ i < to, in paragraphs and in list
// items.
func (r *planReader) fields(from, to int) []field {
	var all []field
	for i := from; i < to; i++ {
		if r.Blocks[i].Kind() == ast.KindParagraph {
			all = append(all, r.fieldsIn(r.Blocks[i].Node, i+1, to)...)
		}
		for _, it := range r.Items(i) {
			if !r.consumed[i] && it.Text != nil {
				all = append(all, r.fieldsIn(it.Text, i, to)...)
			}
		}
	}
	return all
}

// isField says whether a text starts with a key.
func (r *planReader) isField(text ast.Node) bool {
	keys := r.keys(text)
	return len(keys) > 0 && strings.TrimSpace(string(r.Src[text.Pos():keys[0].start])) == ""
}

// fieldsIn reads the fields of a paragraph. Where the last one has no value in
// it, the list or fence that follows is its value.
func (r *planReader) fieldsIn(text ast.Node, follower, to int) []field {
	keys := r.keys(text)
	var all []field
	for i, k := range keys {
		end := markdown.BlockEnd(text)
		if i+1 < len(keys) {
			end = keys[i+1].start
		}
		f := field{key: k.key, line: r.Line(k.start)}
		f.raw = valueOf(string(r.Src[min(k.value, end):end]), k.key)
		var closed bool
		if f.tokens, closed = tokenise(f.raw); !closed && owed(k.key) {
			r.wrong.Add(f.line, "close it behind the command or path", "a back-quote of %q is not closed", k.key)
		}
		if f.raw == "" {
			r.valueBelow(&f, text, follower, to)
		}
		if len(f.tokens) > 0 {
			all = append(all, f)
		} else if owed(k.key) {
			r.wrong.Add(f.line, "write a value, or 'none'", "%q has no value", k.key)
		}
	}
	return all
}

// keys returns the keys of a paragraph: bold, with a colon in or behind it.
func (r *planReader) keys(text ast.Node) []keyMark {
	var all []keyMark
	for n := text.FirstChild(); n != nil; n = n.NextSibling() {
		if k, ok := r.key(text, n); ok {
			all = append(all, k)
		}
	}
	return all
}

func (r *planReader) key(text, n ast.Node) (keyMark, bool) {
	if !markdown.IsStrong(n) {
		return r.plainKey(text, n)
	}
	words, after := r.Plain(n), markdown.BlockEnd(text)
	if next := n.NextSibling(); next != nil {
		after = next.Pos()
	}
	colon := strings.HasSuffix(words, ":")
	if after < len(r.Src) && r.Src[after] == ':' {
		colon, after = true, after+1
	}
	key := fieldKeys[strings.ToLower(strings.TrimSpace(strings.TrimSuffix(words, ":")))]
	return keyMark{key, n.Pos(), after}, key != "" && colon
}

// plainKey reads "Depends on: Task 1" at the start of a line without bold: an
// order that the author wrote down must not be lost.
func (r *planReader) plainKey(text, n ast.Node) (keyMark, bool) {
	t, ok := n.(*ast.Text)
	if !ok || text.Kind() != ast.KindParagraph || !r.StartsLine(n) {
		return keyMark{}, false
	}
	words, _, found := strings.Cut(string(t.Segment.Value(r.Src)), ":")
	ok = found && fieldKeys[strings.ToLower(strings.TrimSpace(words))] == "depends on"
	return keyMark{"depends on", n.Pos(), n.Pos() + len(words) + 1}, ok
}

// valueBelow takes the value from the list or fence that follows the text of a
// field, in the same item or as the next block.
func (r *planReader) valueBelow(f *field, text ast.Node, follower, to int) {
	next := text.NextSibling()
	if next == nil || r.field(f, next) == 0 {
		return
	}
	if follower < to && r.Blocks[follower].Node == next {
		r.consumed[follower] = true
	}
}

// field fills the value from a list's items or a fence's lines and returns how
// many parts it has.
func (r *planReader) field(f *field, n ast.Node) int {
	var parts []string
	switch n := n.(type) {
	case *ast.List:
		for it := n.FirstChild(); it != nil; it = it.NextSibling() {
			if first := it.FirstChild(); first != nil && markdown.IsText(first) {
				parts = append(parts, strings.TrimSpace(string(r.Src[first.Pos():markdown.BlockEnd(first)])))
			}
		}
		f.raw = strings.Join(parts, ",\n")
		f.tokens, _ = tokenise(f.raw)
	case *ast.FencedCodeBlock:
		f.raw = strings.TrimSpace(string(n.Lines().Value(r.Src)))
		f.tokens = fenced(f.raw, f.key)
	}
	return len(f.tokens)
}

// fenced takes a fence as one script for a validation, else as a value a line.
func fenced(text, key string) []token {
	parts := []string{script(text)}
	if key != "validation" {
		parts = strings.Split(text, "\n")
	}
	var tokens []token
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			tokens = append(tokens, token{text: part, code: true})
		}
	}
	return tokens
}

// isNone says whether the value is "none", with or without a reason.
func (f field) isNone() bool {
	words := strings.Fields(strings.ToLower(f.plain()))
	if len(words) == 0 || len(words) > 1 && f.hasCode() {
		return false
	}
	word := strings.Trim(words[0], ".,;:*_")
	return slices.Contains([]string{"none", "nothing", "n/a"}, word) || len(words) == 1 && slices.Contains([]string{"-", "—", "–"}, word)
}
