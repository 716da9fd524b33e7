package spec

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"autopilot/spec/markdown"
)

// sign is a place that begins with a word for a phase.
type sign struct {
	kind, text string
	// id is the number, in digits where it is written as a word; "" where there is none.
	id, name string
	// block is the index of its block, level that of a heading.
	line, start, block, level int
	place                     markdown.Place
	// off says that the name is set off from the number, or that nothing follows; near that this is no label all the same:
	// "Phase #2: Name", "Phase Two: Name", "Phase: Name".
	off, near bool
}

// numberWords are what people write instead of a number.
var numberWords = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// signs are the places of the document that begin with a word for a phase. Code, comments and quotations have none.
func (d *unread) signs() []sign {
	var all []sign
	for i, b := range d.Blocks {
		_ = ast.Walk(b.Node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			html, isHTML := n.(*ast.HTMLBlock)
			switch {
			case !entering || n.Kind() == ast.KindBlockquote || isHTML && html.HTMLBlockType == ast.HTMLBlockType2:
				return ast.WalkSkipChildren, nil
			case n.Kind() == east.KindTableRow:
				all = d.sign(all, n, i, d.LineStart(n.Pos()))
			case markdown.IsText(n) || isHTML:
				for k := range n.Lines().Len() {
					if start := n.Lines().At(k).Start; k == 0 || isHTML || bytes.HasPrefix(d.Src[start:], []byte("**")) {
						all = d.sign(all, n, i, start)
					}
				}
				return ast.WalkSkipChildren, nil
			}
			return ast.WalkContinue, nil
		})
	}
	return all
}

// sign appends what begins on a line of a node of block i.
func (d *unread) sign(all []sign, n ast.Node, i, start int) []sign {
	line := d.Src[start:d.LineEnd(start)]
	if !wordAt(line) {
		return all
	}
	s, ok := signOf(words(line))
	if !ok {
		return all
	}
	s.line, s.start, s.block = d.Line(start), start, i
	switch parent := n.Parent(); {
	case n.Kind() == ast.KindHeading && parent.Kind() == ast.KindDocument:
		s.place, s.level = markdown.AtHeading, n.(*ast.Heading).Level
	case n.Kind() == ast.KindParagraph && parent.Kind() == ast.KindDocument && line[0] == '*':
		s.place = markdown.AtParagraph
	case n.Kind() == east.KindTableRow:
		s.place = markdown.AtRow
	case parent.Kind() == ast.KindListItem && parent.FirstChild() == n && parent.Parent() == d.Blocks[i].Node:
		s.place = markdown.AtItem
	}
	return append(all, s)
}

// words is a line of the source from its first letter on, without comments and up to a bar: its bold start, with what
// follows where that is only a label.
func words(line []byte) string {
	rest := fromLetter(line)
	text, _, _ := strings.Cut(string(rest), "<!--")
	text, _, _ = strings.Cut(text, "|")
	if bytes.HasSuffix(line[:len(line)-len(rest)], []byte("**")) {
		inside, behind, _ := strings.Cut(text, "**")
		if l, ok := markdown.ParseLabel(inside, markdown.PhaseKinds); ok && l.Name == "" {
			inside += behind
		}
		text = inside
	}
	return strings.TrimSpace(text)
}

func fromLetter(line []byte) []byte {
	for {
		line = bytes.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
		if len(line) < 2 || line[1] != ']' {
			return line
		}
		line = line[1:] // the tick of a check box
	}
}

// wordAt says whether a word for a phase stands at the start of a line.
func wordAt(line []byte) bool {
	line = fromLetter(line)
	return slices.ContainsFunc(markdown.PhaseKinds, func(kind string) bool {
		return len(line) >= len(kind) && bytes.EqualFold(line[:len(kind)], []byte(kind))
	})
}

// signOf reads the start of a text; where its words are no label, what was meant as one is guessed.
func signOf(text string) (sign, bool) {
	s := sign{text: text}
	kind, signs, rest := cutKind(text)
	if s.kind = kind; kind == "" {
		return s, false
	}
	if signs != "" && markdown.Separator.MatchString(signs) {
		s.name, s.off = rest, rest != ""
	} else if id, after := markdown.CutID(rest); id != "" {
		s.id = id
		s.name, s.off = markdown.CutName(after)
	} else {
		word, after := firstWord(rest)
		if n := slices.Index(numberWords, strings.ToLower(word)); n >= 0 {
			s.id = strconv.Itoa(n + 1)
		}
		s.name, s.off = markdown.CutName(after)
		s.off = s.off && s.name != ""
	}
	_, read := markdown.ParseLabel(text, markdown.PhaseKinds)
	s.near = s.off && !read
	return s, true
}

// cutKind splits the word for a phase off a text, and the signs behind it that no label has; kind is empty where there is
// no such word.
func cutKind(text string) (kind, signs, rest string) {
	text = markdown.Undecorate(text)
	for _, kind := range markdown.PhaseKinds {
		if len(text) <= len(kind) || !strings.EqualFold(text[:len(kind)], kind) {
			continue
		}
		rest = strings.TrimLeftFunc(text[len(kind):], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if signs = text[len(kind) : len(text)-len(rest)]; signs == "" && !startsWithDigit(rest) {
			return "", "", "" // "phases", "stepwise"
		}
		return kind, strings.TrimSpace(signs), rest
	}
	return "", "", ""
}

func startsWithDigit(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(r)
}

// firstWord splits the letters off the start of a text.
func firstWord(text string) (word, rest string) {
	rest = strings.TrimLeftFunc(text, unicode.IsLetter)
	return text[:len(text)-len(rest)], rest
}
