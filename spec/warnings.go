package spec

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"autopilot/spec/markdown"
)

// warnings are what a reader should know of a spec that can be run.
type warnings struct {
	*markdown.Document
	section markdown.BlockRange
	found   []markdown.Entry
	names   *taken
	all     markdown.Problems
}

// of collects the warnings of a spec.
func (w *warnings) of(s *Spec) []markdown.Problem {
	if strings.EqualFold(s.Status, "draft") {
		w.all.Add(1, "approve it before you run it", "the spec's status is %q", s.Status)
	}
	if len(s.Criteria) == 0 {
		w.all.Add(1, "add a list below a heading '## Success Criteria'", "the spec has no success criteria for the final review")
	}
	w.unclosed()
	w.gaps()
	w.idleComments()
	return w.all.Sorted()
}

// unclosed names a fence or comment that hides the rest of the document.
func (w *warnings) unclosed() {
	if len(w.Blocks) == 0 {
		return
	}
	last := w.Blocks[len(w.Blocks)-1]
	switch n := last.Node.(type) {
	case *ast.FencedCodeBlock:
		tail := bytes.TrimSpace(w.Src[last.Start:])
		fence := tail[:min(3, len(tail))]
		end := tail[bytes.LastIndexByte(tail, '\n')+1:]
		if bytes.Count(tail, []byte("\n")) == 0 || !bytes.HasPrefix(bytes.TrimLeft(end, " "), fence) {
			w.all.Add(w.Line(last.Start), "close it", "the code fence is not closed and hides all that follows")
		}
	case *ast.HTMLBlock:
		if n.HTMLBlockType == ast.HTMLBlockType2 && !bytes.Contains(w.Src[last.Start:], []byte("-->")) {
			w.all.Add(w.Line(last.Start), "close it with '-->'", "the comment is not closed and hides all that follows")
		}
	}
}

// gaps names the numbers that are left out between those of the phases: often those of phases that were not read.
func (w *warnings) gaps() {
	type numbers struct{ from, to, start int }
	all := make([]numbers, 0, len(w.found))
	for _, e := range w.found {
		from, to, ok := numbersOf(e.Number)
		if !ok {
			return // letters and roman numbers
		}
		all = append(all, numbers{from, to, e.Start})
	}
	slices.SortFunc(all, func(a, b numbers) int { return cmp.Compare(a.from, b.from) })
	last := all[0].to
	for _, t := range all {
		if t.from > last+1 && !w.names.numbers[last+1] {
			w.all.Add(w.Line(t.start), "number the phases one after the other, and see whether one was not read",
				"no phase has the %s", ranged(last+1, t.from-1))
		}
		last = max(last, t.to)
	}
}

// idleComments names the complexity comments of the section that decide nothing.
func (w *warnings) idleComments() {
	used := map[int]bool{}
	for _, e := range w.found {
		if c, ok := w.CommentIn(e); ok {
			used[c.Start] = true
		}
	}
	from, to := w.StartOf(w.section.From), w.StartOf(w.section.To)
	for _, c := range w.Comments {
		if from <= c.Start && c.Start < to && !used[c.Start] {
			w.all.Add(w.Line(c.Start), "put one such comment below the heading of its phase",
				"the complexity comment %q belongs to no phase or is the second of its phase", c.Value)
		}
	}
	for _, c := range w.Misspelt {
		if from <= c.Start && c.Start < to {
			w.all.Add(w.Line(c.Start), "write <!-- complexity: "+c.Value+" -->", "the comment %q is not read: it has no colon", w.Src[c.Start:c.End])
		}
	}
}
