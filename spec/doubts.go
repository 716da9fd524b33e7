package spec

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// warnUnclosed names a fence or comment that hides the rest of the document.
func (d *document) warnUnclosed(w *problems) {
	if len(d.blocks) == 0 {
		return
	}
	last := d.blocks[len(d.blocks)-1]
	switch n := last.Node.(type) {
	case *ast.FencedCodeBlock:
		tail := bytes.TrimSpace(d.src[last.start:])
		fence := tail[:min(3, len(tail))]
		end := tail[bytes.LastIndexByte(tail, '\n')+1:]
		if bytes.Count(tail, []byte("\n")) == 0 || !bytes.HasPrefix(bytes.TrimLeft(end, " "), fence) {
			w.add(d.line(last.start), "close it", "the code fence is not closed and hides all that follows")
		}
	case *ast.HTMLBlock:
		if n.HTMLBlockType == ast.HTMLBlockType2 && !bytes.Contains(d.src[last.start:], []byte("-->")) {
			w.add(d.line(last.start), "close it with '-->'", "the comment is not closed and hides all that follows")
		}
	}
}

// numbered says whether a text starts with the word and a digit.
func numbered(text, word string) bool {
	text = undecorate(text)
	if len(text) < len(word)+2 || !strings.EqualFold(text[:len(word)], word) || text[len(word)] != ' ' {
		return false
	}
	digit := text[len(word)+1]
	return '0' <= digit && digit <= '9'
}

// warnComments names the complexity comments of the section that decide nothing.
func (d *document) warnComments(w *problems, s blockRange, found []entry) {
	used := map[int]bool{}
	for _, e := range found {
		if c, ok := d.commentIn(e); ok {
			used[c.start] = true
		}
	}
	from, to := d.startOf(s.from), d.startOf(s.to)
	for i := firstAt(d.comments, from); i < len(d.comments) && d.comments[i].start < to; i++ {
		if c := d.comments[i]; !used[c.start] {
			w.add(d.line(c.start), "put one such comment below the heading of its phase",
				"the complexity comment %q belongs to no phase or is the second of its phase", c.value)
		}
	}
	for _, c := range d.misspelt {
		if from <= c.start && c.start < to {
			w.add(d.line(c.start), "write <!-- complexity: "+c.value+" -->", "the comment %q is not read: it has no colon", d.src[c.start:c.end])
		}
	}
}
