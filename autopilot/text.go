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

// quote quotes a word for a shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// QuoteWord quotes a word for a shell where it needs it.
func QuoteWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+") == "" {
		return word
	}
	return quote(word)
}

// QuotePath is QuoteWord for a file that a command is given: one whose name begins with a dash would be taken for a flag.
func QuotePath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return QuoteWord(path)
}
