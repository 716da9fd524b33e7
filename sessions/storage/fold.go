package storage

import (
	"strings"
	"unicode"
)

// Fold makes one line of a text, without the characters that a terminal acts on: people read these files with cat.
func Fold(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
}
