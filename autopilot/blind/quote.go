package blind

import (
	"slices"
	"strings"
)

// Quoted says whether a text has a quote word for word. White space, case, and the marks of Markdown make no difference; a single
// word is no quote.
func Quoted(quote string, texts ...string) bool {
	words := strings.Trim(plain(quote), " .,;:\"'")
	in := func(text string) bool { return strings.Contains(plain(text), words) }
	return strings.Contains(words, " ") && slices.ContainsFunc(texts, in)
}

// marks are taken out of a text before it is compared.
var marks = strings.NewReplacer("*", "", "`", "", "_", "", "“", "\"", "”", "\"", "’", "'")

func plain(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(marks.Replace(text))), " ")
}
