package spec

import (
	"strings"
	"unicode"

	"autopilot/autopilot/lazyregexp"
)

// label is what stands before a name: "Phase 2a (later): Name".
type label struct {
	// kind is the word in lower case, id the number as written.
	kind, id string
	// name is what follows, without the separator; empty when nothing does.
	name string
}

// phaseKinds are the words that label a phase. "phase" outranks the others.
var phaseKinds = []string{"phase", "sub-phase", "step", "wave", "stage", "milestone", "week"}

// taskKinds is the word that labels a task.
var taskKinds = []string{"task"}

const oneID = `(?:\d+(?:\.\d+)*[A-Za-z]?|[IVXLC]+|[A-Za-z]\d*)`

var (
	// idStart is a number at the start of a text: 2, 2a, 1.3, B, A1, IV, 1-2.
	idStart = lazyregexp.New(`^` + oneID + `(?:[-–]` + oneID + `)?(?:$|[^\pL\pN])`)
	// separator stands between label and name. No digit can follow its hyphen: the
	// number would have taken both, as a range.
	separator = lazyregexp.New(`^\s*(?:[:—–]|--?|\.(?:\s|$))`)
	// aside is a remark in parentheses between number and separator.
	aside = lazyregexp.New(`^\s*\(([^()]*)\)`)
	// outline is the number of a heading itself: "7. " or "4.2 ".
	outline = lazyregexp.New(`^\d+(?:\.\d+)*[.)]?\s+`)
)

// parseLabel reads a label with one of the given words at the start of a text.
// Ticks, symbols and an outline number may stand before it. Without a separator
// it is a label only when nothing, or nothing but a parenthesis, follows.
func parseLabel(text string, kinds []string) (label, bool) {
	text = undecorate(text)
	for _, kind := range kinds {
		if len(text) <= len(kind) || !strings.EqualFold(text[:len(kind)], kind) {
			continue
		}
		rest := strings.TrimLeft(text[len(kind):], " ")
		if len(rest) == len(text)-len(kind) {
			continue
		}
		id, rest := cutID(rest)
		name, ok := cutName(rest)
		return label{kind: kind, id: id, name: name}, id != "" && ok
	}
	return label{}, false
}

// cutID splits the number off the start of a text; it is empty if there is none.
func cutID(text string) (id, rest string) {
	id = strings.TrimRightFunc(idStart.FindString(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return id, text[len(id):]
}

// cutName reads what follows the number: a remark in parentheses, a separator,
// the name. Where only a remark follows, it is the name. The name counts (ok) when
// it is set off by a separator or when nothing but the remark is there.
func cutName(rest string) (name string, ok bool) {
	var remark string
	if inside := aside.FindStringSubmatch(rest); inside != nil {
		remark, rest = inside[1], rest[len(inside[0]):]
	}
	mark := separator.FindString(rest)
	name = trimName(rest[len(mark):])
	if name == "" {
		return trimName(remark), true
	}
	return name, mark != ""
}

// undecorate drops what authors put before a heading's words: a check box, a
// symbol, an outline number.
func undecorate(text string) string {
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		text = strings.TrimPrefix(text, box)
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if text == "" || text[0] < '0' || text[0] > '9' {
		return text // most have no number
	}
	return text[len(outline.FindString(text)):]
}

// trimName drops white space and the punctuation that ends a label.
func trimName(name string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(name), ".:;, \t"))
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
