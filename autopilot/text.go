package autopilot

import (
	"strings"
	"unicode"
)

// oneLine makes one line of a text, without what a terminal acts on.
func oneLine(text string) string { return strings.Join(strings.Fields(shown(text)), " ") }

// shown is a text for a file that people read with cat: what a terminal would act on, instead of showing it, is a space.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
}
