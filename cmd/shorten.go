package cmd

import "strings"

// shorten is a text on one line, cut after n characters.
func shorten(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}
