package console

import (
	"os"
	"path/filepath"
	"strings"
)

// Shorten is a text on one line, cut after n characters.
func Shorten(text string, n int) string {
	runes := []rune(OneLine(text))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}

// ShortPath writes a path under the home folder with a tilde.
func ShortPath(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && ok {
		return "~/" + rest
	}
	return path
}

// OneLine is a text with a single space for each run of white space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Trimmed is a text on one line, with the spaces that lay it out.
func Trimmed(text string) string {
	return strings.TrimRight(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " "), " ")
}
