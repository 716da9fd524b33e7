package console

import "strings"

// Shorten is a text on one line, cut after n characters.
func Shorten(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}
