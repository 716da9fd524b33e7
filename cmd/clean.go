package cmd

import (
	"strings"
	"unicode"
)

// clean makes text from a repository, an agent or a server safe to print: control characters and those that change
// the direction of writing never reach a terminal raw.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r == unicode.ReplacementChar, r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f':
			return '·'
		}
		return r
	}, strings.ToValidUTF8(text, "·"))
}
