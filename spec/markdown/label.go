package markdown

import (
	"strings"
	"unicode"

	"autopilot/autopilot/lazyregexp"
)

// Label is what stands before a name: "Phase 2a (later): Name".
type Label struct {
	// Kind is the word in lower case, id the number as written.
	Kind, Id string
	// Name is what follows, without the separator; empty when nothing does.
	Name string
}

// PhaseKinds are the words that label a phase. "phase" outranks the others.
var PhaseKinds = []string{"phase", "sub-phase", "step", "wave", "stage", "milestone", "week"}

// TaskKinds is the word that labels a task.
var TaskKinds = []string{"task"}

// OneID is the pattern of a number: 2, 2a, 1.3, B, A1, IV.
const OneID = `(?:\d+(?:\.\d+)*[A-Za-z]?|[IVXLC]+|[A-Za-z]\d*)`

var (
	// idStart is a number at the start of a text: 2, 2a, 1.3, B, A1, IV, 1-2.
	idStart = lazyregexp.New(`^` + OneID + `(?:[-–]` + OneID + `)?(?:$|[^\pL\pN])`)
	// Separator stands between label and name. No digit can follow its hyphen: the
	// number would have taken both, as a range.
	Separator = lazyregexp.New(`^\s*(?:[:—–]|--?|\.(?:\s|$))`)
	// aside is a remark in parentheses between number and separator.
	aside = lazyregexp.New(`^\s*\(([^()]*)\)`)
	// outline is the number of a heading itself: "7. " or "4.2 ".
	outline = lazyregexp.New(`^\d+(?:\.\d+)*[.)]?\s+`)
)

// ParseLabel reads a label with one of the given words at the start of a text.
// Ticks, symbols and an outline number may stand before it. Without a separator
// it is a label only when nothing, or nothing but a parenthesis, follows.
func ParseLabel(text string, kinds []string) (Label, bool) {
	text = Undecorate(text)
	for _, kind := range kinds {
		if len(text) <= len(kind) || !strings.EqualFold(text[:len(kind)], kind) {
			continue
		}
		rest := strings.TrimLeft(text[len(kind):], " ")
		if len(rest) == len(text)-len(kind) {
			continue
		}
		id, rest := CutID(rest)
		name, ok := CutName(rest)
		return Label{Kind: kind, Id: id, Name: name}, id != "" && ok
	}
	return Label{}, false
}

// CutID splits the number off the start of a text; it is empty if there is none.
func CutID(text string) (id, rest string) {
	id = strings.TrimRightFunc(idStart.FindString(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return id, text[len(id):]
}

// CutName reads what follows the number: a remark in parentheses, a separator,
// the name. Where only a remark follows, it is the name. The name counts (ok) when
// it is set off by a separator or when nothing but the remark is there.
func CutName(rest string) (name string, ok bool) {
	var remark string
	if inside := aside.FindStringSubmatch(rest); inside != nil {
		remark, rest = inside[1], rest[len(inside[0]):]
	}
	mark := Separator.FindString(rest)
	name = TrimName(rest[len(mark):])
	if name == "" {
		return TrimName(remark), true
	}
	return name, mark != ""
}

// Undecorate drops what authors put before a heading's words: a check box, a
// symbol, an outline number.
func Undecorate(text string) string {
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		text = strings.TrimPrefix(text, box)
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if text == "" || text[0] < '0' || text[0] > '9' {
		return text // most have no number
	}
	return text[len(outline.FindString(text)):]
}

// TrimName drops white space and the punctuation that ends a label.
func TrimName(name string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(name), ".:;, \t"))
}

// Numbered says whether a text starts with the word and a digit.
func Numbered(text, word string) bool {
	text = Undecorate(text)
	if len(text) < len(word)+2 || !strings.EqualFold(text[:len(word)], word) || text[len(word)] != ' ' {
		return false
	}
	digit := text[len(word)+1]
	return '0' <= digit && digit <= '9'
}
