package integrity

import (
	"iter"
	"strings"
)

// names gives the places of the names in a line of code, strings and numbers
// left out. It is a loop by hand since it sees each line of each test.
func names(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(text); {
			switch c := text[i]; {
			case c == '"' || c == '\'' || c == '`':
				i += max(1, quoted(text[i:]))
			case isLetter(c):
				from := i
				for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
					i++
				}
				if !yield(from, i) {
					return
				}
			case isDigit(c):
				for i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || text[i] == '.') {
					i++
				}
			default:
				i++
			}
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// called gives the names that a line calls, or hands over as the last or a
// middle argument: t.Run("x", testX).
func called(text string) []string {
	var found []string
	for from, to := range names(text) {
		rest := strings.TrimLeft(text[to:], " ")
		if rest != "" && strings.ContainsRune("([),", rune(rest[0])) {
			found = append(found, text[from:to])
		}
	}
	return found
}
