package blind

import "strings"

// Quoted reports whether a text contains a quote word for word. Whitespace, case and Markdown marks are ignored. A single
// word is not a quote: it would match anything.
func Quoted(quote, text string) bool {
	words := strings.Trim(plain(quote), " .,;:\"'")
	return strings.Contains(words, " ") && strings.Contains(plain(text), words)
}

// marks are taken out of a text before it is compared.
var marks = strings.NewReplacer("*", "", "`", "", "_", "", "“", "\"", "”", "\"", "’", "'")

func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(marks.Replace(text))), " ")
}
